/* Runs one code object on one problem: verifies it, then times it. Knows HIP alone: what passes on the
 * simulated device is what runs on the GPU. */
#ifndef CKT_BENCH_RUN_H
#define CKT_BENCH_RUN_H

#include "bench/hip_api.h"
#include "bench/reference.h"
#include "gen/instance.h"
#include "gen/measurement.h"
#include "gen/problem.h"

struct ckt_runner; /* a device with the buffers and the reference of the problem it works on */

struct ckt_runner_options {
  int device;
  enum ckt_init init;
  uint64_t seed;
};

int ckt_runner_create(const struct ckt_hip *hip, const struct ckt_runner_options *options,
                      struct ckt_runner **runner, struct ckt_error *error);
void ckt_runner_destroy(struct ckt_runner **runner);

/* Makes inputs, reference and device buffers; keeps them until another problem is set. CKT_E_DEVICE when the
 * device's memory is too small or the reference cannot be had. */
int ckt_runner_set_problem(struct ckt_runner *runner, const struct ckt_problem *problem,
                           struct ckt_error *error);

/* Fills *measurement: measured, wrong_result, run_failed, run_timeout (the simulated device's own budget). A
 * code object that does not load is CKT_E_CACHE: compile it again. Any other failure of this function means
 * that the runner cannot go on (sticky device error): the measurement is filled with run_failed or
 * run_crashed all the same. */
int ckt_runner_measure(struct ckt_runner *runner, const struct ckt_instance *instance, const char *code_path,
                       struct ckt_measurement *measurement, struct ckt_error *error);

#endif
