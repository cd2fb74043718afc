/* How often a kernel is launched and which of its times count: the measuring policy, apart from any device.
 *
 * The device stands behind a callback, so that tests put scripted times in its place. */
#ifndef CKT_BENCH_MEASURE_H
#define CKT_BENCH_MEASURE_H

#include <stdint.h>

#include "common/error.h"
#include "gen/measurement.h"

struct ckt_timer {
  void *context;
  enum ckt_method method; /* how a single launch is timed */
  /* Launches the kernel `launches` times in a row, waits for the end and gives the device time of all of them
   * together, whatever the timer says, zero and below included. An error ends the measuring. */
  int (*time)(void *context, int64_t launches, double *ms, struct ckt_error *error);
};

struct ckt_measure_policy {
  double warm_up_ms;        /* device time before the first sample */
  int64_t warm_up_launches; /* at most, for timers that do not move */
  int64_t least_samples;    /* before the spread is looked at */
  int64_t most_samples;     /* attempts, dropped ones included */
  double target;            /* relative standard error at which it is enough */
  double most_ms;           /* device time of all samples; a long kernel still gets three samples */
  double batch_ms;          /* a batch must last this long to count */
  int64_t most_batch;       /* launches of one batch */
  int64_t batches;          /* batches that are timed */
};

/* What the runner uses; the first instance of a problem warms up for CKT_WARM_UP_FIRST_MS. */
extern const struct ckt_measure_policy ckt_measure_policy_default;
#define CKT_WARM_UP_FIRST_MS 25.0

/* Fills status (measured, or run_failed with the reason "unmeasurable..."), method, samples, samples_dropped
 * and the times. A sample of zero or below is dropped and counted; when all are, launches are timed in
 * batches. An error is the timer's own. */
int ckt_measure(const struct ckt_timer *timer, const struct ckt_measure_policy *policy,
                struct ckt_measurement *measurement, struct ckt_error *error);

/* Fills samples and the times from `count` > 0 samples, which it sorts. */
void ckt_measure_statistics(double *samples_ms, int64_t count, struct ckt_measurement *measurement);

#endif
