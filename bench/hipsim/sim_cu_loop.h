/* Loops in a recorded workgroup. A long loop repeats itself: the model replays its first iterations and its last ones, and
 * takes the time of one from a window among them for each that is left out. */
#ifndef SIM_CU_LOOP_H
#define SIM_CU_LOOP_H

#include "bench/hipsim/sim_cu_trace.h"

/* Which steps of each wave are replayed: [0, stop) and [resume, count). Steps [from, stop) are the window; `left_out`
 * is how many times as long as the window the steps between stop and resume take. Without a cut stop is UINT32_MAX. */
struct sim_cu_cut {
  uint32_t begin[SIM_CU_MAX_WAVES], end[SIM_CU_MAX_WAVES]; /* of the loop */
  uint32_t from[SIM_CU_MAX_WAVES], stop[SIM_CU_MAX_WAVES], resume[SIM_CU_MAX_WAVES];
  double left_out;
  uint64_t steps; /* replayed, of all waves together */
};

/* Keeps about `keep` steps of each wave's most frequent loop. */
void sim_cu_cut_find(const struct sim_cu_trace *trace, uint32_t keep, struct sim_cu_cut *cut);

#endif
