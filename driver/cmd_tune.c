/* cktune [tune]: generates, compiles, runs and records, and shows the fastest. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/file.h"
#include "common/log.h"
#include "driver/command.h"
#include "driver/jobs.h"
#include "driver/place_choice.h"
#include "driver/plan.h"
#include "driver/post.h"
#include "driver/session.h"
#include "driver/sweep.h"
#include "driver/table.h"
#include "driver/version.h"
#include "results/document.h"

/* Everything a run holds. */
struct tune {
  const struct ckt_options *options;
  const struct ckt_arch *arch; /* --arch, or NULL */
  struct ckt_plan plan;
  struct ckt_session session;
  struct ckt_store *store;
  struct ckt_code_cache *cache;
  char *token;
  int64_t run;
  struct ckt_sweep_result result;
};

/* ---- before any work ---- */

static int check_options(struct tune *tune, struct ckt_device_choice *choice, struct ckt_error *error) {
  const struct ckt_options *options = tune->options;
  if (options->operands.count > 0)
    return ckt_fail(error, CKT_E_USAGE, "'%s' is no option; a problem is given as --problem SPEC",
                    options->operands.items[0]);
  if (options->arch != NULL)
    CKT_TRY(ckt_arch_parse(options->arch, &tune->arch, error));
  if (options->jobs > CKT_JOBS_MAX)
    return ckt_fail(error, CKT_E_USAGE, "--jobs: %" PRId64 " is too large; at most %d are expected",
                    options->jobs, CKT_JOBS_MAX);
  if (options->upload != NULL)
    CKT_TRY(ckt_post_check(options->upload, error));
  const struct ckt_device_wish wish = {.device = options->device,
                                       .arch = tune->arch != NULL ? tune->arch->name : NULL,
                                       .upload = options->upload != NULL,
                                       .topology = CKT_KFD_TOPOLOGY};
  CKT_TRY(ckt_device_choose(&wish, choice, error));
  tune->token = ckt_post_token(options, error);
  return tune->token != NULL ? CKT_OK : error->code;
}

static void say_what_was_understood(const struct tune *tune, const struct ckt_device_choice *choice) {
  if (choice->fallback)
    ckt_log(CKT_LOG_NOTE,
            "no AMD GPU is found: simulating %s, so times are modelled, not measured (--device)",
            choice->sim_device);
  for (size_t i = 0; i < tune->plan.problem_count && i < 3; i++) {
    struct ckt_text text = {0};
    ckt_problem_describe(&tune->plan.problems[i].problem, &text);
    ckt_log(CKT_LOG_NOTE, "problem: %s", ckt_text_string(&text));
    ckt_text_free(&text);
  }
  if (tune->plan.problem_count > 3)
    ckt_log(CKT_LOG_NOTE, "and %zu more problems", tune->plan.problem_count - 3);
}

/* ---- workers, device, toolchain ---- */

/* Whatever the workers met on their way, at this point it is this machine that cannot do it. */
static int start_session(struct tune *tune, const struct ckt_device_choice *choice, struct ckt_error *error) {
  const struct ckt_options *options = tune->options;
  const struct ckt_session_setup setup = {
      .choice = *choice,
      .rocm = options->rocm,
      .kernels = options->kernels,
      .integer = strcmp(options->init, "integer") == 0,
      .seed = options->seed,
      .jobs = (size_t)(options->jobs > 0 ? options->jobs : ckt_jobs_default())};
  CKT_TRY(ckt_session_create(&setup, &tune->session, error));
  CKT_TRY(ckt_session_open(&tune->session, CKT_FIRST_COMPILE_SLOT, error));
  return ckt_session_open(&tune->session, CKT_RUN_SLOT, error);
}

static int check_arch(struct tune *tune, const struct ckt_arch **arch, struct ckt_error *error) {
  const struct ckt_device *device = &tune->session.device;
  *arch = ckt_arch_find(device->target);
  if (tune->arch != NULL && strcmp(tune->arch->name, device->arch) != 0)
    return ckt_fail(error, CKT_E_USAGE,
                    "--arch %s: the device (%s) is %s; leave --arch out or choose another --device",
                    tune->arch->name, device->name, device->arch);
  if (*arch == NULL)
    return ckt_fail(error, CKT_E_DEVICE, "the device (%s) is %s, for which cktune has no kernels",
                    device->name, device->target);
  return CKT_OK;
}

static int prepare(struct tune *tune, struct ckt_error *error) {
  const struct ckt_arch *arch;
  CKT_TRY(check_arch(tune, &arch, error));
  CKT_TRY(
      ckt_session_probe(&tune->session, tune->session.device.target, tune->options->compile_timeout, error));
  return ckt_plan_prepare(&tune->plan, &tune->session, arch, tune->cache, error);
}

/* ---- the run ---- */

/* The simulated device runs each kernel once on data that were just written: no cache is warm, and none is
 * modelled. On hardware launches follow each other on the same buffers. */
static const char *cache_state(const struct ckt_device *device) {
  return device->simulated ? "cold" : "warm";
}

static char *command_line(void) {
  struct ckt_text words = {0}, line = {0};
  if (ckt_file_read("/proc/self/cmdline", &words, NULL) == CKT_OK)
    for (size_t at = 0; at < words.length; at += strlen(words.data + at) + 1)
      ckt_text_printf(&line, "%s%s", at > 0 ? " " : "", words.data + at);
  ckt_text_free(&words);
  return ckt_text_take(&line, NULL);
}

static int begin_run(struct tune *tune, struct ckt_error *error) {
  const struct ckt_session *session = &tune->session;
  char identity[CKT_HASH_TEXT];
  bool resumed = false;
  CKT_TRY(ckt_plan_identity(&tune->plan, session, tune->options, CKT_VERSION, identity, error));
  char *command = command_line();
  const struct ckt_run_setup setup = {.identity = identity,
                                      .command = command != NULL ? command : "",
                                      .version = CKT_VERSION,
                                      .hip_version = session->hip_version,
                                      .rtc_version = session->rtc_version,
                                      .kernels_digest = session->headers_digest,
                                      .device_name = session->device.name,
                                      .device_target = session->device.target,
                                      .device_arch = session->device.arch,
                                      .simulated = session->device.simulated,
                                      .compute_units = session->device.compute_units,
                                      .memory_bytes = ckt_device_memory(&session->device),
                                      .clock_khz = session->device.clock_khz,
                                      .cache_state = cache_state(&session->device),
                                      .init = tune->options->init};
  const int status =
      ckt_store_begin_run(tune->store, &setup, tune->options->fresh, &tune->run, &resumed, error);
  free(command);
  if (status == CKT_OK && resumed)
    ckt_log(CKT_LOG_NOTE, "going on with unfinished run %" PRId64 " (--fresh starts a new one)", tune->run);
  return status;
}

static int sweep(struct tune *tune, struct ckt_error *error) {
  const struct ckt_options *options = tune->options;
  const struct ckt_sweep_setup setup = {.session = &tune->session,
                                        .plan = &tune->plan,
                                        .cache = tune->cache,
                                        .store = tune->store,
                                        .run = tune->run,
                                        .compile_timeout = options->compile_timeout,
                                        .run_timeout = options->run_timeout,
                                        .budget = options->budget,
                                        .quiet = options->quiet};
  CKT_TRY(ckt_sweep_resume(&setup, error));
  CKT_TRY(ckt_sweep(&setup, &tune->result, error));
  if (tune->result.left > 0) {
    ckt_log(CKT_LOG_NOTE, "the budget of %g s is spent with %zu of %zu pairs left; the same command goes on",
            options->budget, tune->result.left, tune->plan.pair_count);
    return CKT_OK;
  }
  return ckt_store_finish_run(tune->store, tune->run, error);
}

/* ---- the result ---- */

static struct ckt_document_problem *document_problems(const struct ckt_plan *plan) {
  struct ckt_document_problem *problems = calloc(plan->problem_count + 1, sizeof *problems);
  for (size_t i = 0; problems != NULL && i < plan->problem_count; i++)
    problems[i] = (struct ckt_document_problem){.problem = plan->problems[i].problem,
                                                .listed = (int64_t)plan->problems[i].listed,
                                                .resumed = (int64_t)plan->problems[i].resumed};
  return problems;
}

static int add_table(const struct tune *tune, const struct ckt_run_info *run, size_t index,
                     struct ckt_text *text, struct ckt_error *error) {
  const struct ckt_plan_problem *problem = &tune->plan.problems[index];
  struct ckt_record_list records = {0};
  CKT_TRY(ckt_store_run_records(tune->store, tune->run, problem->key, &records, error));
  const struct ckt_table table = {.problem = &problem->problem,
                                  .run = run,
                                  .records = &records,
                                  .listed = problem->listed,
                                  .resumed = problem->resumed};
  if (index > 0)
    ckt_text_append(text, "\n");
  const int status = ckt_table_problem(&table, text, error);
  ckt_record_list_free(&records);
  return status;
}

static int add_tables(const struct tune *tune, struct ckt_text *text, struct ckt_error *error) {
  struct ckt_run_info run = {0};
  CKT_TRY(ckt_store_run_info(tune->store, tune->run, &run, error));
  int status = CKT_OK;
  for (size_t i = 0; i < tune->plan.problem_count && status == CKT_OK; i++)
    status = add_table(tune, &run, i, text, error);
  ckt_text_printf(text,
                  "Run %" PRId64 " took %.1f s: %zu kernels compiled (%.1f s of work), %zu pairs measured.\n",
                  tune->run, tune->result.seconds, tune->result.compiled_now, tune->result.compile_seconds,
                  tune->result.measured_now);
  ckt_run_info_free(&run);
  return status;
}

static int show(const struct tune *tune, const struct ckt_document_problem *problems,
                struct ckt_error *error) {
  struct ckt_text text = {0};
  int status;
  if (strcmp(tune->options->format, "json") == 0) {
    status =
        ckt_document_build(tune->store, tune->run, problems, tune->plan.problem_count, true, &text, error);
    ckt_text_append(&text, "\n");
  } else {
    status = add_tables(tune, &text, error);
  }
  if (status == CKT_OK)
    status = ckt_text_status(&text, error);
  if (status == CKT_OK)
    fwrite(text.data, 1, text.length, stdout);
  ckt_text_free(&text);
  fflush(stdout);
  return status;
}

/* A failed upload costs no result and changes no exit status. */
static int post(const struct tune *tune, const struct ckt_document_problem *problems,
                struct ckt_error *error) {
  if (tune->options->upload == NULL)
    return CKT_OK;
  const int status = ckt_post_queued(tune->store, tune->run, tune->options->upload, tune->token, problems,
                                     tune->plan.problem_count, error);
  if (status == CKT_E_STORE)
    return status;
  if (status != CKT_OK)
    ckt_log(CKT_LOG_WARNING, "%s; run %" PRId64 " is queued, and 'cktune upload' sends it again", error->text,
            tune->run);
  else
    ckt_log(CKT_LOG_NOTE, "run %" PRId64 " is uploaded", tune->run);
  return CKT_OK;
}

static int show_and_post(const struct tune *tune, struct ckt_error *error) {
  struct ckt_document_problem *problems = document_problems(&tune->plan);
  if (problems == NULL)
    return ckt_fail(error, CKT_E_NOMEM, "memory ran out");
  int status = show(tune, problems, error);
  if (status == CKT_OK)
    status = post(tune, problems, error);
  free(problems);
  return status;
}

/* Bad lines first: whoever gave them must learn of it. A device that refused a problem weighs more than a
 * problem without a best. */
static int exit_status(const struct tune *tune) {
  if (tune->plan.bad_lines > 0)
    return CKT_EXIT_USAGE;
  if (tune->result.refused) {
    ckt_log(CKT_LOG_ERROR, "%s", tune->result.refusal.text);
    return CKT_EXIT_DEVICE;
  }
  for (size_t i = 0; i < tune->plan.problem_count; i++)
    if (!tune->plan.problems[i].measured)
      return CKT_EXIT_NO_BEST;
  return CKT_EXIT_OK;
}

static int run_all(struct tune *tune, int *status, struct ckt_error *error) {
  struct ckt_device_choice choice = {.index = 0};
  CKT_TRY(check_options(tune, &choice, error));
  CKT_TRY(ckt_plan_read(tune->options, &tune->plan, error));
  say_what_was_understood(tune, &choice);
  CKT_TRY(ckt_open_store(tune->options, false, &tune->store, error));
  CKT_TRY(ckt_open_cache(tune->options, &tune->cache, error));
  CKT_TRY(start_session(tune, &choice, error));
  CKT_TRY(prepare(tune, error));
  CKT_TRY(begin_run(tune, error));
  CKT_TRY(sweep(tune, error));
  ckt_session_destroy(&tune->session); /* from here on Ctrl-C ends the program: everything is in the store */
  CKT_TRY(show_and_post(tune, error));
  *status = exit_status(tune);
  return CKT_OK;
}

static int run(const struct ckt_options *options, int *status, struct ckt_error *error) {
  struct tune tune = {.options = options};
  const int code = run_all(&tune, status, error);
  ckt_session_destroy(&tune.session);
  ckt_code_cache_close(&tune.cache);
  ckt_store_close(&tune.store);
  ckt_plan_free(&tune.plan);
  free(tune.token);
  return code;
}

const struct ckt_command ckt_command_tune = {
    .name = "tune",
    .bit = CKT_FOR_TUNE,
    .operands = "",
    .summary = "generate, compile, run and record kernels for problems; show the fastest",
    .example = "cktune --problem 2,64,64,14,14,3,3,1,1,1,1 --instances tests --device sim:gfx90a",
    .run = run,
};
