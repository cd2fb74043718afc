/* Raw words run as a program of one wave on each arch, for a bounded number of steps: they end, or end in a report. */
#include <string.h>

#include "fuzz_target.h"
#include "tests/hipsim/hostile_machine.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static struct hostile_machine machines[SIM_ARCHS];
  uint32_t words[HOSTILE_WORDS];
  const size_t count = size / 4 < HOSTILE_WORDS ? size / 4 : HOSTILE_WORDS;
  if (count > 0)
    memcpy(words, data, count * 4);
  for (int arch = 0; arch < SIM_ARCHS; arch++) {
    struct hostile_machine *machine = &machines[arch];
    if (machine->memory == NULL)
      FUZZ_REQUIRE(hostile_open(machine, (enum sim_arch)arch) == 0);
    if (hostile_run(machine, words, count) != 0)
      FUZZ_REQUIRE(memchr(machine->fault.text, '\0', sizeof machine->fault.text) != machine->fault.text);
  }
  return 0;
}
