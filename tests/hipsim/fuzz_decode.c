/* fuzz_decode ARCH COUNT [SEED]: reads COUNT random encodings of ARCH with our decoder and with the oracle of this machine, and
 * says how many agree. Exit status: 0 when all do, 1 when some differ, 2 for wrong arguments, 77 without an oracle. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare_decode.h"

static int arch_of(const char *name) {
  static const char *const names[SIM_ARCHS] = {"gfx908", "gfx90a", "gfx942", "gfx950"};
  for (int i = 0; i < SIM_ARCHS; i++)
    if (strcmp(name, names[i]) == 0)
      return i;
  return -1;
}

int main(int argc, char **argv) {
  int arch = argc > 2 ? arch_of(argv[1]) : -1;
  if (arch < 0 || argc > 4) {
    fprintf(stderr, "usage: fuzz_decode gfx908|gfx90a|gfx942|gfx950 COUNT [SEED]\n");
    return 2;
  }
  struct oracle *oracle = oracle_open((enum sim_arch)arch);
  if (!oracle) {
    fprintf(stderr, "fuzz_decode: no disassembler here knows %s.\n", argv[1]);
    return 77;
  }
  struct random_code random = random_code((enum sim_arch)arch, argc > 3 ? strtoull(argv[3], NULL, 10) : 1);
  struct comparison c = {0};
  compare_decode(oracle, &random, strtoull(argv[2], NULL, 10), &c);
  oracle_close(oracle);
  printf("%s: %llu read the same, %llu refused by both, %llu without a row, %llu differ\n", argv[1],
         (unsigned long long)c.same, (unsigned long long)c.refused, (unsigned long long)c.rowless,
         (unsigned long long)c.differs);
  return c.differs == 0 ? 0 : 1;
}
