#include "bench/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/code_cache.h"
#include "bench/code_facts.h"
#include "bench/conv_launch.h"
#include "bench/measure.h"
#include "bench/tensors.h"
#include "bench/verify.h"
#include "common/clock.h"
#include "gen/arch.h"

struct ckt_runner {
  const struct ckt_hip *hip;
  struct ckt_runner_options options;
  struct ckt_device device;
  hipStream_t stream;
  hipEvent_t start, stop;
  struct ckt_problem problem;
  bool has_problem;
  bool warmed; /* a kernel of this problem has been timed */
  struct ckt_reference reference;
  struct ckt_tensors tensors;
};

/* A code object on the device, ready to be launched. */
struct kernel {
  struct ckt_runner *runner;
  hipModule_t module;
  hipFunction_t function;
  struct ckt_conv_launch launch;
  struct ckt_measurement *measurement;
};

/* A sentence that does not fit is cut. */
static void set_reason(struct ckt_measurement *measurement, const char *reason) {
  snprintf(measurement->reason, sizeof measurement->reason, "%.*s", CKT_MEASUREMENT_REASON_MAX - 1, reason);
}

static int make_events(struct ckt_runner *runner, struct ckt_error *error) {
  const struct ckt_hip *hip = runner->hip;
  CKT_TRY(ckt_hip_check(hip, hip->hipSetDevice(runner->options.device), CKT_E_DEVICE, "cannot use the device",
                        error));
  CKT_TRY(
      ckt_hip_check(hip, hip->hipStreamCreate(&runner->stream), CKT_E_DEVICE, "cannot make a stream", error));
  CKT_TRY(
      ckt_hip_check(hip, hip->hipEventCreate(&runner->start), CKT_E_DEVICE, "cannot make an event", error));
  return ckt_hip_check(hip, hip->hipEventCreate(&runner->stop), CKT_E_DEVICE, "cannot make an event", error);
}

int ckt_runner_create(const struct ckt_hip *hip, const struct ckt_runner_options *options,
                      struct ckt_runner **runner, struct ckt_error *error) {
  *runner = NULL;
  struct ckt_device device;
  CKT_TRY(ckt_hip_device(hip, options->device, &device, error));
  struct ckt_runner *made = calloc(1, sizeof *made);
  if (made == NULL)
    return ckt_fail(error, CKT_E_NOMEM, "memory ran out for the runner of device %d", options->device);
  made->hip = hip;
  made->options = *options;
  made->device = device;
  const int status = make_events(made, error);
  if (status != CKT_OK)
    ckt_runner_destroy(&made);
  *runner = made;
  return status;
}

static void forget_problem(struct ckt_runner *runner) {
  ckt_tensors_free(runner->hip, &runner->tensors);
  ckt_reference_free(&runner->reference);
  runner->has_problem = false;
}

void ckt_runner_destroy(struct ckt_runner **runner) {
  struct ckt_runner *gone = *runner;
  *runner = NULL;
  if (gone == NULL)
    return;
  forget_problem(gone);
  if (gone->start != NULL)
    gone->hip->hipEventDestroy(gone->start);
  if (gone->stop != NULL)
    gone->hip->hipEventDestroy(gone->stop);
  if (gone->stream != NULL)
    gone->hip->hipStreamDestroy(gone->stream);
  free(gone);
}

int ckt_runner_set_problem(struct ckt_runner *runner, const struct ckt_problem *problem,
                           struct ckt_error *error) {
  char before[CKT_PROBLEM_KEY_MAX];
  char now[CKT_PROBLEM_KEY_MAX];
  if (runner->has_problem) {
    ckt_problem_key(&runner->problem, before);
    ckt_problem_key(problem, now);
    if (strcmp(before, now) == 0)
      return CKT_OK;
  }
  forget_problem(runner);
  CKT_TRY(ckt_tensors_check_memory(runner->hip, problem, error));
  CKT_TRY(ckt_reference_create(problem, runner->options.init, runner->options.seed, 0, &runner->reference,
                               error));
  const int status = ckt_tensors_create(runner->hip, &runner->reference, &runner->tensors, error);
  if (status != CKT_OK) {
    forget_problem(runner);
    return status;
  }
  runner->problem = *problem;
  runner->has_problem = true;
  runner->warmed = false;
  return CKT_OK;
}

/* ---- loading ---- */

static int load_module(struct kernel *kernel, const char *path, const char *name, const struct ckt_text *code,
                       struct ckt_error *error) {
  const struct ckt_hip *hip = kernel->runner->hip;
  struct ckt_error cause = {0};
  const hipError_t status = hip->hipModuleLoadData(&kernel->module, ckt_text_string(code));
  if (ckt_hip_check(hip, status, CKT_E_CACHE, "hipModuleLoadData", &cause) != CKT_OK) {
    kernel->module = NULL;
    (void)hip->hipGetLastError();
    const char *report = hip->hipsim_report != NULL ? hip->hipsim_report() : NULL;
    return ckt_fail(error, CKT_E_CACHE, "the code object %s does not load: %s", path,
                    report != NULL && report[0] != '\0' ? report : cause.text);
  }
  if (ckt_hip_check(hip, hip->hipModuleGetFunction(&kernel->function, kernel->module, name), CKT_E_CACHE,
                    "hipModuleGetFunction", &cause) == CKT_OK)
    return CKT_OK;
  (void)hip->hipGetLastError();
  return ckt_fail(error, CKT_E_CACHE, "the code object %s has no kernel '%s': %s", path, name, cause.text);
}

/* From the code object's descriptor, since hipFuncGetAttribute means different things on different versions. */
static void read_facts(struct kernel *kernel, const char *name, const struct ckt_text *code) {
  const struct ckt_arch *arch = ckt_arch_find(kernel->runner->device.target);
  struct ckt_code_facts facts;
  if (arch == NULL || !ckt_code_facts_read(ckt_text_string(code), code->length, name, arch, &facts))
    return;
  struct ckt_measurement *m = kernel->measurement;
  const uint32_t *block = kernel->launch.block;
  m->vgprs = facts.vgprs;
  m->agprs = facts.agprs;
  m->sgprs = facts.sgprs;
  m->lds_bytes = facts.lds_bytes;
  m->scratch_bytes = facts.scratch_bytes;
  m->workgroups_per_cu = ckt_workgroups_per_cu(&facts, arch, (int64_t)block[0] * block[1] * block[2]);
}

static int load(struct kernel *kernel, const char *path, struct ckt_error *error) {
  char *name = NULL;
  struct ckt_text code = {0};
  int status = ckt_code_file_read(path, &name, &code, error);
  if (status == CKT_OK)
    status = load_module(kernel, path, name, &code, error);
  if (status == CKT_OK)
    read_facts(kernel, name, &code);
  ckt_text_free(&code);
  free(name);
  return status;
}

/* ---- launching and timing ---- */

static hipError_t launch_once(const struct kernel *kernel) {
  const struct ckt_conv_launch *l = &kernel->launch;
  struct ckt_conv_args args = l->args;
  void *parameters[] = {&args};
  return kernel->runner->hip->hipModuleLaunchKernel(kernel->function, l->grid[0], l->grid[1], l->grid[2],
                                                    l->block[0], l->block[1], l->block[2], 0,
                                                    kernel->runner->stream, parameters, NULL);
}

/* `launches` of them between two events. *ms is what the timer says. */
static hipError_t time_pair(const struct kernel *kernel, int64_t launches, float *ms) {
  const struct ckt_runner *runner = kernel->runner;
  const struct ckt_hip *hip = runner->hip;
  hipError_t status = hip->hipEventRecord(runner->start, runner->stream);
  for (int64_t i = 0; i < launches && status == hipSuccess; i++)
    status = launch_once(kernel);
  if (status == hipSuccess)
    status = hip->hipEventRecord(runner->stop, runner->stream);
  if (status == hipSuccess)
    status = hip->hipStreamSynchronize(runner->stream);
  if (status == hipSuccess)
    status = hip->hipEventElapsedTime(ms, runner->start, runner->stop);
  return status;
}

/* One launch with events of its own, which do not contain the cost of recording them. */
static hipError_t time_ext(const struct kernel *kernel, float *ms) {
  const struct ckt_runner *runner = kernel->runner;
  const struct ckt_hip *hip = runner->hip;
  const struct ckt_conv_launch *l = &kernel->launch;
  struct ckt_conv_args args = l->args;
  void *parameters[] = {&args};
  hipError_t status = hip->ext_launch(kernel->function, l->grid[0] * l->block[0], l->grid[1] * l->block[1],
                                      l->grid[2] * l->block[2], l->block[0], l->block[1], l->block[2], 0,
                                      runner->stream, parameters, NULL, runner->start, runner->stop, 0);
  if (status == hipSuccess)
    status = hip->hipEventSynchronize(runner->stop);
  if (status == hipSuccess)
    status = hip->hipEventElapsedTime(ms, runner->start, runner->stop);
  return status;
}

/* The ext launch counts work-items in 32 bits. */
static bool ext_fits(const struct ckt_conv_launch *launch) {
  for (int axis = 0; axis < 3; axis++)
    if ((uint64_t)launch->grid[axis] * launch->block[axis] > UINT32_MAX)
      return false;
  return true;
}

/* A device that failed is used again only when it answers. */
static int check_alive(struct ckt_runner *runner, const char *reason, struct ckt_error *error) {
  const struct ckt_hip *hip = runner->hip;
  (void)hip->hipGetLastError();
  if (hip->hipDeviceSynchronize() == hipSuccess && ckt_tensors_poison(hip, &runner->tensors) == hipSuccess &&
      hip->hipDeviceSynchronize() == hipSuccess)
    return CKT_OK;
  return ckt_fail(error, CKT_E_RUN, "the device cannot be used any more after this failure: %s", reason);
}

/* What a HIP failure says of the kernel: the simulated device's own sentence when there is one. */
static void describe_failure(const struct kernel *kernel, hipError_t status, const char *what) {
  struct ckt_measurement *m = kernel->measurement;
  const struct ckt_hip *hip = kernel->runner->hip;
  struct ckt_error cause = {0};
  ckt_hip_check(hip, status, CKT_E_RUN, what, &cause);
  const char *report = hip->hipsim_report != NULL ? hip->hipsim_report() : NULL;
  m->status = status == hipErrorLaunchTimeOut ? CKT_RUN_TIMEOUT : CKT_RUN_FAILED;
  set_reason(m, report != NULL && report[0] != '\0' ? report : cause.text);
}

static int fail_run(struct kernel *kernel, hipError_t status, const char *what, struct ckt_error *error) {
  describe_failure(kernel, status, what);
  return check_alive(kernel->runner, kernel->measurement->reason, error);
}

/* The callback of the measuring policy. */
static int time_launches(void *context, int64_t launches, double *ms, struct ckt_error *error) {
  struct kernel *kernel = context;
  float value = 0;
  const bool ext = launches == 1 && kernel->runner->hip->ext_launch != NULL && ext_fits(&kernel->launch);
  const hipError_t status = ext ? time_ext(kernel, &value) : time_pair(kernel, launches, &value);
  *ms = (double)value;
  if (status == hipSuccess)
    return CKT_OK;
  describe_failure(kernel, status, "a timed launch failed");
  return ckt_fail(error, CKT_E_RUN, "%s", kernel->measurement->reason);
}

static int time_on_hardware(struct kernel *kernel, struct ckt_error *error) {
  struct ckt_runner *runner = kernel->runner;
  const bool ext = runner->hip->ext_launch != NULL && ext_fits(&kernel->launch);
  const struct ckt_timer timer = {
      .context = kernel, .method = ext ? CKT_METHOD_EXT : CKT_METHOD_PAIR, .time = time_launches};
  struct ckt_measure_policy policy = ckt_measure_policy_default;
  if (!runner->warmed)
    policy.warm_up_ms = CKT_WARM_UP_FIRST_MS;
  struct ckt_error cause = {0};
  const int status = ckt_measure(&timer, &policy, kernel->measurement, &cause);
  runner->warmed |= status == CKT_OK;
  if (status == CKT_E_RUN)
    return check_alive(runner, cause.text, error);
  return status == CKT_OK ? CKT_OK : ckt_fail(error, status, "%s", cause.text);
}

/* The simulated device's clock is a model and always gives the same: the launch that was verified counts. */
static void take_model_time(struct kernel *kernel, float ms) {
  struct ckt_measurement *m = kernel->measurement;
  double sample = (double)ms;
  if (sample > 0 && isfinite(sample)) {
    m->status = CKT_MEASURED;
    m->method = CKT_METHOD_MODEL;
    ckt_measure_statistics(&sample, 1, m);
    return;
  }
  m->status = CKT_RUN_FAILED;
  m->samples_dropped = 1;
  snprintf(m->reason, sizeof m->reason, "unmeasurable: the simulated device modelled a time of %g ms",
           sample);
}

static void fill_rates(struct kernel *kernel) {
  struct ckt_measurement *m = kernel->measurement;
  const struct ckt_problem *problem = &kernel->runner->problem;
  m->tflops = (double)ckt_problem_flops(problem) / m->time_ms * 1e-9;
  m->gbps = (double)ckt_problem_bytes(problem) / m->time_ms * 1e-6;
}

/* ---- one pair ---- */

/* One launch on poisoned output, then every element against the reference. */
static int verify_launch(struct kernel *kernel, float *ms, struct ckt_error *error) {
  struct ckt_runner *runner = kernel->runner;
  struct ckt_measurement *m = kernel->measurement;
  hipError_t status = ckt_tensors_poison(runner->hip, &runner->tensors);
  if (status != hipSuccess)
    return fail_run(kernel, status, "the output could not be cleared", error);
  const double begin = ckt_now();
  status = time_pair(kernel, 1, ms);
  m->launch_seconds = ckt_now() - begin;
  if (status != hipSuccess)
    return fail_run(kernel, status, "the kernel failed", error);
  struct ckt_output_verdict verdict;
  status = ckt_tensors_verify(runner->hip, &runner->tensors, &runner->reference, &verdict);
  if (status != hipSuccess)
    return fail_run(kernel, status, "the output could not be read", error);
  m->error_ratio = verdict.verdict.error_ratio;
  m->wrong_elements = verdict.verdict.wrong_elements;
  m->worst_index = verdict.verdict.worst_index;
  m->status = verdict.reason[0] == '\0' ? CKT_MEASURED : CKT_WRONG_RESULT;
  set_reason(m, verdict.reason);
  return CKT_OK;
}

static int measure_loaded(struct kernel *kernel, struct ckt_error *error) {
  float ms = 0;
  CKT_TRY(verify_launch(kernel, &ms, error));
  if (kernel->measurement->status != CKT_MEASURED)
    return CKT_OK;
  if (kernel->runner->hip->simulated)
    take_model_time(kernel, ms);
  else
    CKT_TRY(time_on_hardware(kernel, error));
  if (kernel->measurement->status == CKT_MEASURED)
    fill_rates(kernel);
  return CKT_OK;
}

int ckt_runner_measure(struct ckt_runner *runner, const struct ckt_instance *instance, const char *code_path,
                       struct ckt_measurement *measurement, struct ckt_error *error) {
  *measurement = (struct ckt_measurement){.status = CKT_RUN_FAILED,
                                          .simulated = runner->hip->simulated,
                                          .vgprs = -1,
                                          .agprs = -1,
                                          .sgprs = -1,
                                          .lds_bytes = -1,
                                          .scratch_bytes = -1,
                                          .workgroups_per_cu = -1};
  if (!runner->has_problem)
    return ckt_fail(error, CKT_E_INTERNAL, "a problem must be set before a kernel is measured");
  struct kernel kernel = {.runner = runner, .measurement = measurement};
  struct ckt_error cause = {0};
  if (ckt_conv_launch_plan(instance, &runner->problem, &kernel.launch, &cause) != CKT_OK) {
    measurement->status = CKT_NOT_APPLICABLE;
    set_reason(measurement, cause.text);
    return CKT_OK;
  }
  ckt_tensors_bind(&runner->tensors, &kernel.launch.args);
  const double begin = ckt_now();
  int status = load(&kernel, code_path, error);
  if (status == CKT_OK)
    status = measure_loaded(&kernel, error);
  else if (error != NULL)
    set_reason(measurement, error->text);
  if (kernel.module != NULL)
    (void)runner->hip->hipModuleUnload(kernel.module);
  measurement->run_seconds = ckt_now() - begin;
  return status;
}
