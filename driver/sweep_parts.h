/* What the files of the sweep share: its state, and the two kinds of work. */
#ifndef CKT_DRIVER_SWEEP_PARTS_H
#define CKT_DRIVER_SWEEP_PARTS_H

#include "driver/progress.h"
#include "driver/sweep.h"

enum slot_state { SLOT_FREE, SLOT_STARTING, SLOT_IDLE, SLOT_BUSY };

struct slot {
  enum slot_state state;
  size_t code;       /* a compile worker's work */
  int failed_starts; /* in a row */
};

struct sweep {
  const struct ckt_sweep_setup *setup;
  struct ckt_session *session;
  struct ckt_plan *plan;
  struct ckt_sweep_result *result;
  struct ckt_progress progress;
  struct slot *slots;
  size_t slot_count;
  bool *needed;       /* by code */
  size_t done_before; /* pairs done when this process began */
  size_t next_pair;   /* the first that is not done; pairs are run in the plan's order */
  size_t next_code;   /* no code before it is missing, but for those to be compiled again */
  /* The run worker: */
  size_t problem_set;  /* which problem it holds; SIZE_MAX: none */
  bool setting;        /* it is making a problem's inputs and reference, not measuring */
  int failed_settings; /* of the problem at hand, in a row */
};

/* A measurement that only has a status and a reason. */
struct ckt_measurement ckt_sweep_outcome(enum ckt_pair_status status, const char *reason);
/* Commits a pair's outcome to the store; the pair is then done. */
int ckt_sweep_record(struct sweep *sweep, struct ckt_plan_pair *pair, struct ckt_measurement *measurement,
                     struct ckt_error *error);
int ckt_sweep_launch(struct sweep *sweep, size_t slot, struct ckt_error *error);

/* Gives work to every worker that has none, starting workers as they are needed. */
int ckt_sweep_give_work(struct sweep *sweep, struct ckt_error *error);
/* A busy worker answered or ended. */
int ckt_sweep_compiled(struct sweep *sweep, const struct ckt_pool_event *event, struct ckt_error *error);
int ckt_sweep_ran(struct sweep *sweep, const struct ckt_pool_event *event, struct ckt_error *error);

int ckt_sweep_give_compiles(struct sweep *sweep, struct ckt_error *error);

#endif
