/* Between the files of the wait-state checks: how many wait states hardware needs and does not insert. */
#ifndef SIM_CHECK_HAZARD_H
#define SIM_CHECK_HAZARD_H

#include "bench/hipsim/sim_check.h"

static inline bool sim_is(const struct sim_check_entry *e, unsigned traits) {
  return (e->traits & traits) != 0;
}

/* From `producer`, which wrote vector register range `r`, to `user`, which reads or overwrites it. */
unsigned sim_hazard_vector_need(enum sim_arch arch, const struct sim_check_entry *producer,
                                const struct sim_check_entry *user, const struct sim_range *r);
/* From `reader`, which keeps reading a register after its issue, to `user`, which writes it. */
unsigned sim_hazard_overtake_need(enum sim_arch arch, const struct sim_check_entry *reader,
                                  const struct sim_check_entry *user);

#endif
