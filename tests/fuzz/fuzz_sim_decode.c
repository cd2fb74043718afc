/* Raw words as instructions of each arch: what decodes has a row, a handler's operands inside their register files and a
 * text, whole or cut to any size. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/hipsim/sim_registers.h"
#include "bench/hipsim/sim_table.h"
#include "fuzz_target.h"

enum { TEXT_BYTES = 256 };

static void disassemble(const struct sim_inst *inst, enum sim_arch arch) {
  char text[TEXT_BYTES], cut[TEXT_BYTES];
  sim_disassemble(inst, arch, text, sizeof text);
  const size_t length = strnlen(text, sizeof text);
  FUZZ_REQUIRE(length > 0 && length < sizeof text - 1);
  for (size_t size = 1; size <= length; size += 1 + length / 3) {
    memset(cut, '!', sizeof cut);
    sim_disassemble(inst, arch, cut, size);
    FUZZ_REQUIRE(cut[size - 1] == '\0' && cut[size] == '!' && strncmp(cut, text, size - 1) == 0);
  }
}

static unsigned decode(const uint32_t *words, size_t count, enum sim_arch arch) {
  struct sim_inst inst;
  const unsigned used = sim_decode(words, count < 3 ? (unsigned)count : 3, arch, &inst);
  FUZZ_REQUIRE(used <= 3 && used <= count);
  FUZZ_REQUIRE(inst.op < SIM_OP_COUNT && (used == 0) == (inst.op == SIM_OP_UNKNOWN));
  if (used != 0) {
    FUZZ_REQUIRE(inst.next == 4 * used && sim_info[inst.op].opcode[arch] >= 0);
    const struct sim_registers named = sim_registers_of(&inst);
    FUZZ_REQUIRE(named.fits && named.vgprs <= 256 && named.agprs <= 256 && named.sgprs <= 128);
  }
  disassemble(&inst, arch);
  return used;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const size_t count = size / 4;
  uint32_t *words = malloc(count * 4 + 1); /* as long as its words, so that a read past them shows */
  FUZZ_REQUIRE(words != NULL);
  if (count > 0)
    memcpy(words, data, count * 4);
  for (int arch = 0; arch < SIM_ARCHS; arch++)
    for (size_t at = 0; at < count;) {
      const unsigned used = decode(words + at, count - at, (enum sim_arch)arch);
      at += used != 0 ? used : 1;
    }
  free(words);
  return 0;
}
