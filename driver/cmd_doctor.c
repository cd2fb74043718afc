/* cktune doctor: what is there, what is not, and what to do about it. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/log.h"
#include "driver/command.h"
#include "driver/jobs.h"
#include "driver/place_choice.h"
#include "driver/session.h"
#include "gen/arch.h"
#include "results/curl_api.h"

struct doctor {
  const struct ckt_options *options;
  const struct ckt_arch *arch; /* --arch, or NULL */
  size_t failed;
};

enum finding { FINDING_OK, FINDING_WARN, FINDING_FAIL };

static void report(struct doctor *doctor, enum finding finding, const char *what, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static void report(struct doctor *doctor, enum finding finding, const char *what, const char *format, ...) {
  static const char *const words[] = {"ok", "warn", "FAIL"};
  char text[2048];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  printf("%-5s %-12s %s\n", words[finding], what, text);
  fflush(stdout);
  doctor->failed += finding == FINDING_FAIL;
}

/* ---- files ---- */

static void check_store(struct doctor *doctor) {
  struct ckt_error error = {0};
  struct ckt_store *store = NULL;
  char *path = ckt_store_path(doctor->options, &error);
  if (path != NULL && ckt_store_open(path, false, &store, &error) == CKT_OK)
    report(doctor, FINDING_OK, "store", "%s", path);
  else
    report(doctor, FINDING_FAIL, "store", "%s", error.text);
  ckt_store_close(&store);
  free(path);
}

static void check_cache(struct doctor *doctor) {
  struct ckt_error error = {0};
  struct ckt_code_cache *cache = NULL;
  if (ckt_open_cache(doctor->options, &cache, &error) == CKT_OK)
    report(doctor, FINDING_OK, "cache", "%s", ckt_code_cache_folder(cache));
  else
    report(doctor, FINDING_FAIL, "cache", "%s", error.text);
  ckt_code_cache_close(&cache);
}

static void check_libraries(struct doctor *doctor) {
  const struct ckt_curl_api *api;
  struct ckt_error error = {0};
  report(doctor, FINDING_OK, "SQLite", "%s", sqlite3_libversion());
  if (ckt_curl(&api, &error) != CKT_OK) {
    report(doctor, FINDING_WARN, "curl", "%s", error.text);
    return;
  }
  const curl_version_info_data *curl = api->version_info(CURLVERSION_NOW);
  report(doctor, curl->ssl_version != NULL ? FINDING_OK : FINDING_WARN, "curl", "%s, %s", curl->version,
         curl->ssl_version != NULL ? curl->ssl_version : "without TLS: https:// uploads will fail");
}

/* ---- toolchain and devices ---- */

static bool check_compiler(struct doctor *doctor, struct ckt_session *session) {
  struct ckt_error error = {0};
  if (ckt_session_open(session, CKT_FIRST_COMPILE_SLOT, &error) != CKT_OK) {
    report(doctor, FINDING_FAIL, "hipRTC", "%s", error.text);
    return false;
  }
  report(doctor, FINDING_OK, "hipRTC", "%s, %s", session->rtc_version, session->rtc_library);
  return true;
}

/* Opens a device; true when it can be used. `needed`: its absence is a failure. */
static bool check_device(struct doctor *doctor, struct ckt_session *session,
                         const struct ckt_device_choice *choice, bool needed) {
  struct ckt_error error = {0};
  const char *what = choice->simulated ? "simulator" : "GPU";
  session->setup.choice = *choice;
  session->device = (struct ckt_device){0}; /* of the one before */
  const bool opened = ckt_session_open(session, CKT_RUN_SLOT, &error) == CKT_OK;
  ckt_pool_stop(session->pool, CKT_RUN_SLOT);
  if (!opened) {
    report(doctor, needed ? FINDING_FAIL : FINDING_WARN, what, "%s", error.text);
    return false;
  }
  const struct ckt_device *device = &session->device;
  report(doctor, FINDING_OK, what, "%s, %s, %lld CUs, %.1f GiB, HIP %s (%s)", device->name, device->target,
         (long long)device->compute_units, (double)device->memory_bytes / (1 << 30), session->hip_version,
         session->hip_library);
  return true;
}

static void check_target(struct doctor *doctor, struct ckt_session *session, const char *target) {
  struct ckt_error error = {0};
  if (ckt_arch_find(target) == NULL)
    report(doctor, FINDING_FAIL, "compile", "cktune has no kernels for %s", target);
  else if (ckt_session_probe(session, target, doctor->options->compile_timeout, &error) == CKT_OK)
    report(doctor, FINDING_OK, "compile", "an empty kernel compiles for %s", target);
  else
    report(doctor, FINDING_FAIL, "compile", "%s", error.text);
}

static void check_toolchain(struct doctor *doctor, struct ckt_session *session,
                            const struct ckt_device_choice *choice) {
  const bool compiler = check_compiler(doctor, session);
  if (!choice->simulated || ckt_gpu_present(CKT_KFD_TOPOLOGY)) {
    const struct ckt_device_choice hip = {.index = choice->index};
    check_device(doctor, session, &hip, !choice->simulated);
  } else {
    report(doctor, FINDING_WARN, "GPU", "no AMD GPU is found in %s: kernels can be simulated, not measured",
           CKT_KFD_TOPOLOGY);
  }
  struct ckt_device_choice sim = {.simulated = true, .sim_device = CKT_DEFAULT_SIM};
  if (choice->simulated)
    sim = *choice;
  const bool opened = check_device(doctor, session, &sim, true);
  const char *target = doctor->arch != NULL ? doctor->arch->name
                       : opened             ? session->device.target
                                            : sim.sim_device;
  if (compiler)
    check_target(doctor, session, target);
}

static int run(const struct ckt_options *options, int *status, struct ckt_error *error) {
  struct doctor doctor = {.options = options};
  struct ckt_device_choice choice = {.index = 0};
  struct ckt_session session;
  if (options->operands.count > 0)
    return ckt_fail(error, CKT_E_USAGE, "'%s' is no option of 'cktune doctor'", options->operands.items[0]);
  if (options->arch != NULL)
    CKT_TRY(ckt_arch_parse(options->arch, &doctor.arch, error));
  const struct ckt_device_wish wish = {.device = options->device,
                                       .arch = doctor.arch != NULL ? doctor.arch->name : NULL,
                                       .topology = CKT_KFD_TOPOLOGY};
  CKT_TRY(ckt_device_choose(&wish, &choice, error));
  const struct ckt_session_setup setup = {
      .choice = choice, .rocm = options->rocm, .kernels = options->kernels, .jobs = 1};
  CKT_TRY(ckt_session_create(&setup, &session, error));
  check_toolchain(&doctor, &session, &choice);
  ckt_session_destroy(&session);
  check_cache(&doctor);
  check_store(&doctor);
  check_libraries(&doctor);
  report(&doctor, FINDING_OK, "jobs", "%lld compiles at once", (long long)ckt_jobs_default());
  *status = doctor.failed > 0 ? CKT_EXIT_DEVICE : CKT_EXIT_OK;
  return CKT_OK;
}

const struct ckt_command ckt_command_doctor = {
    .name = "doctor",
    .bit = CKT_FOR_DOCTOR,
    .operands = "",
    .summary = "tell what is found on this machine, and what to do about what is not",
    .example = "cktune doctor --device hip",
    .run = run,
};
