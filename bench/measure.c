#include "bench/measure.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { SAMPLES_OF_LONG_KERNELS = 3 };

const struct ckt_measure_policy ckt_measure_policy_default = {
    .warm_up_ms = 1.0,
    .warm_up_launches = 1 << 16, /* 25 ms of kernels that take half a microsecond each */
    .least_samples = 10,
    .most_samples = 200,
    .target = 0.005,
    .most_ms = 500.0,
    .batch_ms = 1.0,
    .most_batch = (int64_t)1 << 20,
    .batches = 5,
};

static int compare(const void *a, const void *b) {
  const double x = *(const double *)a;
  const double y = *(const double *)b;
  return (x > y) - (x < y);
}

void ckt_measure_statistics(double *samples_ms, int64_t count, struct ckt_measurement *measurement) {
  qsort(samples_ms, (size_t)count, sizeof *samples_ms, compare);
  double sum = 0;
  double squares = 0;
  for (int64_t i = 0; i < count; i++)
    sum += samples_ms[i];
  const double mean = sum / (double)count;
  for (int64_t i = 0; i < count; i++)
    squares += (samples_ms[i] - mean) * (samples_ms[i] - mean);
  measurement->samples = count;
  measurement->time_ms = (samples_ms[(count - 1) / 2] + samples_ms[count / 2]) / 2;
  measurement->time_min_ms = samples_ms[0];
  measurement->time_max_ms = samples_ms[count - 1];
  measurement->time_stddev_ms = count > 1 ? sqrt(squares / (double)(count - 1)) : 0;
}

/* Samples as they come in, with running sums (Welford) for the stopping rule. */
struct series {
  double *samples;
  int64_t count;
  int64_t dropped;
  double mean, squares, total;
};

static void series_add(struct series *series, double ms) {
  if (!(ms > 0) || !isfinite(ms)) {
    series->dropped++;
    return;
  }
  series->samples[series->count++] = ms;
  const double delta = ms - series->mean;
  series->mean += delta / (double)series->count;
  series->squares += delta * (ms - series->mean);
  series->total += ms;
}

static bool enough(const struct series *series, const struct ckt_measure_policy *policy) {
  if (series->count + series->dropped >= policy->most_samples)
    return true;
  if (series->total >= policy->most_ms && series->count >= SAMPLES_OF_LONG_KERNELS)
    return true;
  if (series->count < policy->least_samples)
    return false;
  const double count = (double)series->count;
  return sqrt(series->squares / (count - 1) / count) <= policy->target * series->mean;
}

static int warm_up(const struct ckt_timer *timer, const struct ckt_measure_policy *policy,
                   struct ckt_error *error) {
  double total = 0;
  int64_t launches = 0;
  for (int64_t batch = 1; total < policy->warm_up_ms && launches < policy->warm_up_launches;) {
    double ms = 0;
    CKT_TRY(timer->time(timer->context, batch, &ms, error));
    total += ms > 0 ? ms : 0;
    launches += batch;
    if (total < policy->warm_up_ms / 2) /* a short kernel: fewer waits for the same device time */
      batch *= 2;
  }
  return CKT_OK;
}

static int take_singles(const struct ckt_timer *timer, const struct ckt_measure_policy *policy,
                        struct series *series, struct ckt_error *error) {
  while (!enough(series, policy)) {
    double ms = 0;
    CKT_TRY(timer->time(timer->context, 1, &ms, error));
    series_add(series, ms);
  }
  return CKT_OK;
}

/* The next size of a batch that was too short: by what the timer says when it says something. */
static int64_t grow(int64_t launches, double ms, const struct ckt_measure_policy *policy) {
  double factor = ms > 0 ? 1.2 * policy->batch_ms / ms : 4;
  factor = fmin(fmax(factor, 2), 64);
  return (int64_t)(factor * (double)launches);
}

/* Batches in place of single launches. Leaves the series empty when no size in the limit is long enough. */
static int take_batches(const struct ckt_timer *timer, const struct ckt_measure_policy *policy,
                        struct series *series, struct ckt_error *error) {
  int64_t launches = 2;
  const int64_t attempts = 4 * policy->batches;
  for (int64_t i = 0; i < attempts && series->count < policy->batches && launches <= policy->most_batch;) {
    double ms = 0;
    CKT_TRY(timer->time(timer->context, launches, &ms, error));
    if (ms >= policy->batch_ms) {
      series_add(series, ms / (double)launches);
      i++;
    } else if (series->count == 0) {
      launches = grow(launches, ms, policy);
    } else {
      series->dropped++;
      i++;
    }
  }
  return CKT_OK;
}

static void conclude(struct series *series, enum ckt_method method, struct ckt_measurement *measurement) {
  measurement->samples_dropped = series->dropped;
  if (series->count > 0) {
    measurement->status = CKT_MEASURED;
    measurement->reason[0] = '\0';
    measurement->method = method;
    ckt_measure_statistics(series->samples, series->count, measurement);
    return;
  }
  measurement->status = CKT_RUN_FAILED;
  measurement->method = CKT_METHOD_NONE;
  snprintf(
      measurement->reason, sizeof measurement->reason,
      "unmeasurable: all %lld event times were zero or below, and no batch of launches lasted long enough; "
      "look at the driver's clock and its event support",
      (long long)series->dropped);
}

int ckt_measure(const struct ckt_timer *timer, const struct ckt_measure_policy *policy,
                struct ckt_measurement *measurement, struct ckt_error *error) {
  const int64_t room = policy->most_samples > policy->batches ? policy->most_samples : policy->batches;
  struct series series = {.samples = malloc((size_t)room * sizeof(double))};
  if (series.samples == NULL)
    return ckt_fail(error, CKT_E_NOMEM, "memory ran out for %lld samples", (long long)room);
  enum ckt_method method = timer->method;
  int status = warm_up(timer, policy, error);
  if (status == CKT_OK)
    status = take_singles(timer, policy, &series, error);
  if (status == CKT_OK && series.count == 0) {
    method = CKT_METHOD_BATCH;
    status = take_batches(timer, policy, &series, error);
  }
  if (status == CKT_OK)
    conclude(&series, method, measurement);
  free(series.samples);
  return status;
}
