/* HIPSIM_PROFILE: what a launch executed and what the model made of it, a JSON object on a line of its own. */
#ifndef SIM_PROFILE_H
#define SIM_PROFILE_H

#include "bench/hipsim/sim_model.h"

struct sim_profile {
  const struct sim_model_input *input;
  const struct sim_model_time *time;
  const uint32_t *grid, *block;
  const uint64_t *hits; /* [enum sim_op] of the whole grid */
};

/* Appends to the file. 0, or -1 when it cannot be written (told on stderr). */
int sim_profile_write(const char *path, const struct sim_profile *profile);

#endif
