/* Bank conflicts of LDS.
 *
 * LDS has banks of 4 bytes, and a bank serves one dword a clock. A wave's access is split into phases of as many lanes as
 * fill the banks; a phase takes as many clocks as its busiest bank has different dwords. How many banks there are and
 * which lanes make up a phase depends on the instruction:
 *
 * - up to gfx942, 32 banks and neighbouring lanes: 32 of 4 bytes, 16 of 8, 8 of 16; but reads of 12 and 16 bytes put 4
 *   neighbours together with 4 of the other half of a row (lanes 0-3 with 20-23, ...). ROCm Composable Kernel documentation,
 *   "Understanding AMD GPU LDS and Bank Conflicts"; ROCm blog, "Avoiding LDS Bank Conflicts on AMD GPUs Using CK-Tile
 *   Framework"; measured on an MI300X by github.com/tingqli/pyhip (tests/bank-conflict).
 * - gfx950 reads 8 and 16 bytes from 64 banks, 12 bytes and all that it writes as the others do: measured on an MI355X by
 *   github.com/HazyResearch/HipKittens (analysis/paper_experiments/phases). Reads of 4 bytes and writes but those of 8
 *   were not measured; they are taken to be as the ones of 8. */
#ifndef SIM_BANK_H
#define SIM_BANK_H

#include "bench/hipsim/sim_wave.h"

/* What the cost follows from: the distances of the lanes from the first one, and where in a dword that is. A base that
 * moves by whole dwords rotates the banks and changes nothing. */
struct sim_bank_pattern {
  uint32_t distance[SIM_LANES];
  uint64_t exec;
  uint32_t size, low; /* bytes a lane (0: none), and of the first address below a dword */
  bool read;          /* else a write, or an atomic */
};

/* Costs that were worked out before: kernels repeat the same few patterns. */
enum { SIM_BANK_MEMORY = 64 };
struct sim_bank_entry {
  struct sim_bank_pattern pattern;
  uint32_t cycles, conflicts;
};
struct sim_bank_memory {
  struct sim_bank_entry entry[SIM_BANK_MEMORY];
};

/* Clocks that LDS needs for one access, and how many of them are due to conflicts. */
void sim_bank_cost(enum sim_arch arch, const struct sim_bank_pattern *pattern, uint32_t *cycles,
                   uint32_t *conflicts);

#endif
