/* Bank conflicts of LDS.
 *
 * LDS moves 32 banks of 4 bytes a cycle (64 banks on gfx950). A wave's access is split into phases of as many
 * neighbouring lanes as fill the banks: 32 lanes of 4 bytes, 16 of 8, 8 of 16 (AMD, Composable Kernel documentation,
 * "Understanding AMD GPU LDS and bank conflicts"). A phase takes as many cycles as its busiest bank has
 * different dwords. */
#ifndef SIM_BANK_H
#define SIM_BANK_H

#include "bench/hipsim/sim_wave.h"

enum { SIM_BANK_MEMORY = 256 };

/* Costs that were worked out before: kernels repeat the same few patterns. Only the distances between the lanes
 * count, so that a moving base finds its pattern again. */
struct sim_bank_memory {
  struct {
    uint64_t key; /* 0: free */
    uint32_t cycles, conflicts;
  } entry[SIM_BANK_MEMORY];
};

/* Works out one access: `size` bytes a lane. */
void sim_bank_cost(enum sim_arch arch, const uint32_t address[SIM_LANES], uint32_t size, uint64_t exec,
                   uint32_t *cycles, uint32_t *conflicts);

#endif
