/* The role `run`: opens HIP (AMD's or the simulated one), verifies and times kernels. A kernel may end it. */
#include <stdlib.h>
#include <string.h>

#include "bench/hip_api.h"
#include "bench/run.h"
#include "driver/worker.h"
#include "results/measurement_json.h"

struct bench {
  struct ckt_hip hip;
  struct ckt_device device;
  struct ckt_runner *runner;
  bool opened;
};

static int open_bench(const cJSON *setup, struct bench *bench, struct ckt_error *error) {
  const struct ckt_hip_where where = {.simulated =
                                          cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(setup, "simulated")),
                                      .sim_device = ckt_json_text(setup, "sim_device"),
                                      .rocm = ckt_json_text(setup, "rocm")};
  CKT_TRY(ckt_hip_open(&where, &bench->hip, error));
  bench->opened = true;
  const int index = (int)ckt_json_number(setup, "device", 0);
  CKT_TRY(ckt_hip_device(&bench->hip, index, &bench->device, error));
  const char *seed = ckt_json_text(setup, "seed"); /* as text: a JSON number has 53 bits */
  const struct ckt_runner_options options = {
      .device = index,
      .init = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(setup, "integer")) ? CKT_INIT_INTEGER
                                                                               : CKT_INIT_NORMAL,
      .seed = seed != NULL ? strtoull(seed, NULL, 10) : 0};
  return ckt_runner_create(&bench->hip, &options, &bench->runner, error);
}

/* HIP counts from 50221153 for 5.2.21153: major * 10^7 + minor * 10^5 + patch. */
static int say_hello(const struct bench *bench) {
  char version[64];
  const int number = bench->hip.runtime_version;
  snprintf(version, sizeof version, "%d.%d.%d", number / 10000000, number / 100000 % 100, number % 100000);
  cJSON *hello = cJSON_CreateObject();
  cJSON *device = cJSON_AddObjectToObject(hello, "device");
  cJSON_AddNumberToObject(device, "index", bench->device.index);
  cJSON_AddStringToObject(device, "name", bench->device.name);
  cJSON_AddStringToObject(device, "target", bench->device.target);
  cJSON_AddStringToObject(device, "arch", bench->device.arch);
  cJSON_AddBoolToObject(device, "simulated", bench->device.simulated);
  cJSON_AddNumberToObject(device, "compute_units", (double)bench->device.compute_units);
  cJSON_AddNumberToObject(device, "memory_bytes", (double)bench->device.memory_bytes);
  cJSON_AddNumberToObject(device, "clock_khz", (double)bench->device.clock_khz);
  cJSON_AddNumberToObject(device, "lds_bytes", (double)bench->device.lds_bytes);
  cJSON_AddStringToObject(hello, "hip_version", version);
  cJSON_AddStringToObject(hello, "library", bench->hip.library);
  return ckt_worker_send(hello);
}

static int set_problem(struct bench *bench, const char *key, struct ckt_error *error) {
  static const struct ckt_problem_defaults defaults = {CKT_FORWARD, CKT_FP16, 2};
  struct ckt_problem problem;
  CKT_TRY(ckt_problem_parse(key, &defaults, &problem, error));
  return ckt_runner_set_problem(bench->runner, &problem, error);
}

/* *last is set when the runner cannot go on. */
static int measure(struct bench *bench, const cJSON *request, cJSON *answer, bool *last,
                   struct ckt_error *error) {
  struct ckt_instance instance;
  struct ckt_measurement measurement = {
      .vgprs = -1, .agprs = -1, .sgprs = -1, .lds_bytes = -1, .scratch_bytes = -1, .workgroups_per_cu = -1};
  CKT_TRY(ckt_instance_parse(ckt_json_text(request, "instance"), NULL, &instance, NULL, error));
  const int status =
      ckt_runner_measure(bench->runner, &instance, ckt_json_text(request, "code"), &measurement, error);
  if (status == CKT_E_CACHE)
    return status;
  *last = status != CKT_OK;
  cJSON_AddBoolToObject(answer, "last", *last);
  return ckt_measurement_to_json(&measurement, cJSON_AddObjectToObject(answer, "measurement"), error);
}

static int answer_request(struct bench *bench, const cJSON *request, bool *last) {
  struct ckt_error error = {0};
  cJSON *answer = cJSON_CreateObject();
  int status;
  if (ckt_json_text(request, "instance") == NULL) {
    status = set_problem(bench, ckt_json_text(request, "problem"), &error);
    cJSON_AddBoolToObject(answer, "ready", status == CKT_OK);
  } else {
    status = measure(bench, request, answer, last, &error);
  }
  if (status == CKT_OK)
    return ckt_worker_send(answer);
  cJSON_Delete(answer);
  return ckt_worker_send_error(&error);
}

static void serve(struct bench *bench, FILE *input) {
  int status = say_hello(bench);
  bool last = false;
  cJSON *request;
  while (status == 0 && !last && (request = ckt_worker_receive(input)) != NULL) {
    if (ckt_json_text(request, "problem") != NULL)
      status = answer_request(bench, request, &last);
    cJSON_Delete(request);
  }
}

int ckt_worker_run(FILE *input, const cJSON *setup) {
  struct bench bench = {.runner = NULL};
  struct ckt_error error = {0};
  const int status = open_bench(setup, &bench, &error);
  if (status == CKT_OK)
    serve(&bench, input);
  else
    ckt_worker_send_error(&error);
  ckt_runner_destroy(&bench.runner);
  if (bench.opened)
    ckt_hip_close(&bench.hip);
  return status == CKT_OK ? 0 : 1;
}
