/* The loop that carries a plan out: compiles ahead, runs one pair after the other, records each as it ends. */
#ifndef CKT_DRIVER_SWEEP_H
#define CKT_DRIVER_SWEEP_H

#include <stdbool.h>

#include "driver/plan.h"
#include "driver/session.h"
#include "results/store.h"

struct ckt_sweep_setup {
  struct ckt_session *session;
  struct ckt_plan *plan; /* prepared */
  struct ckt_code_cache *cache;
  struct ckt_store *store;
  int64_t run;
  double compile_timeout, run_timeout; /* seconds for one */
  double budget;                       /* no pair is begun after so many seconds; 0: no end */
  bool quiet;
};

struct ckt_sweep_result {
  size_t left; /* pairs not done, since the budget was spent */
  size_t measured_now, compiled_now;
  double seconds, compile_seconds;
  /* A problem that the device refused (too little memory, no reference): its pairs carry the reason. */
  bool refused;
  struct ckt_error refusal; /* of the first one */
};

/* Takes over what the store has of this run already: those pairs are done. */
int ckt_sweep_resume(const struct ckt_sweep_setup *setup, struct ckt_error *error);

/* Does the rest. Outcomes of kernels are recorded, not errors; an error is what ends the run: CKT_E_STORE,
 * CKT_E_CACHE, CKT_E_INTERRUPTED, or workers that cannot be had. What was recorded stays. */
int ckt_sweep(const struct ckt_sweep_setup *setup, struct ckt_sweep_result *result, struct ckt_error *error);

#endif
