/* s_memtime and s_memrealtime: 64-bit counters that never go back, and nothing else changes (CDNA guides, "Scalar Memory
 * Operations"). The first counts clocks of the shader, the second, slower, those of a constant reference: 100 MHz. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../alu_wave.h"
#include "isa_assemble.h"
#include "isa_coverage.h"
#include "isa_memory.h"

static const char *const names[] = {"s_memtime", "s_memrealtime"};
enum { NAMES = sizeof names / sizeof *names, PAIR = 20 };

/* Runs it twice, the second time 1000 instructions later. */
static bool goes_on(const struct isa_code *code, enum sim_arch arch, sim_handler *const *handlers) {
  struct sim_inst inst;
  struct alu_wave a;
  uint64_t read[2];
  uint32_t before[128];
  alu_open(&a, handlers);
  bool right = sim_decode(code->words, ISA_WORDS, arch, &inst) != 0;
  for (unsigned i = 0; right && i < 2; i++) {
    memcpy(before, a.w.s, sizeof before);
    a.w.executed += 1000 * i;
    handlers[inst.op](&a.w, &inst);
    read[i] = sim_read_s64(&a.w, PAIR);
    memcpy(&before[PAIR], &a.w.s[PAIR], 8);
    right = memcmp(before, a.w.s, sizeof before) == 0;
  }
  alu_free(&a);
  return right && read[1] > read[0] && read[0] < UINT64_C(1) << 40;
}

static unsigned run_arch(enum sim_arch arch) {
  char texts[NAMES][ISA_TEXT];
  struct isa_code code[NAMES];
  for (size_t i = 0; i < NAMES; i++)
    snprintf(texts[i], ISA_TEXT, "%s s[%d:%d]", names[i], PAIR, PAIR + 1);
  if (!isa_assemble(arch, (const char(*)[ISA_TEXT])texts, NAMES, code))
    return 1;
  unsigned wrong = 0;
  for (size_t i = 0; i < NAMES; i++)
    for (sim_handler *const *const *v = alu_variants(); *v; v++)
      wrong += !goes_on(&code[i], arch, *v);
  return wrong;
}

unsigned isa_run_clocks(void) {
  unsigned wrong = 0;
  for (int arch = 0; arch < SIM_ARCHS; arch++)
    if (isa_knows((enum sim_arch)arch))
      wrong += run_arch((enum sim_arch)arch);
  return wrong;
}

const char *isa_proven_clocks(size_t index) {
  return index < NAMES ? names[index] : NULL;
}
