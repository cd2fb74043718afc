/* The sweep's run half: one pair after the other on the device. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/log.h"
#include "driver/sweep_parts.h"
#include "driver/worker.h"
#include "results/measurement_json.h"

/* Inputs and reference of a large problem take minutes on the host. */
#define SETTING_SECONDS 1800.0
#define SETTINGS_MAX    2 /* times that a worker may end while it makes them */

/* ---- requests ---- */

static int send_problem(struct sweep *sweep, size_t problem, struct ckt_error *error) {
  cJSON *request = cJSON_CreateObject();
  cJSON_AddStringToObject(request, "problem", sweep->plan->problems[problem].key);
  if (sweep->problem_set != problem) {
    sweep->progress.best_ms = 0;
    snprintf(sweep->progress.problem, sizeof sweep->progress.problem, "%.90s",
             sweep->plan->problems[problem].key);
  }
  sweep->problem_set = problem;
  sweep->setting = true;
  sweep->slots[CKT_RUN_SLOT].state = SLOT_BUSY;
  return ckt_pool_send(sweep->session->pool, CKT_RUN_SLOT, request, SETTING_SECONDS, error);
}

static int send_pair(struct sweep *sweep, const struct ckt_plan_pair *pair, struct ckt_error *error) {
  char key[CKT_INSTANCE_KEY_MAX];
  ckt_instance_key(&pair->entry->instance, key);
  cJSON *request = cJSON_CreateObject();
  cJSON_AddStringToObject(request, "problem", sweep->plan->problems[pair->problem].key);
  cJSON_AddStringToObject(request, "instance", key);
  cJSON_AddStringToObject(request, "code", sweep->plan->codes[pair->code].path);
  sweep->setting = false;
  sweep->slots[CKT_RUN_SLOT].state = SLOT_BUSY;
  return ckt_pool_send(sweep->session->pool, CKT_RUN_SLOT, request, sweep->setup->run_timeout, error);
}

/* Passes over pairs that are done and those whose compile failed. */
static int skip_done(struct sweep *sweep, struct ckt_error *error) {
  for (; sweep->next_pair < sweep->plan->pair_count; sweep->next_pair++) {
    struct ckt_plan_pair *pair = &sweep->plan->pairs[sweep->next_pair];
    if (pair->done)
      continue;
    const struct ckt_plan_code *code = &sweep->plan->codes[pair->code];
    if (code->state != CKT_CODE_FAILED)
      return CKT_OK;
    struct ckt_measurement measurement = ckt_sweep_outcome(code->failure, code->reason);
    CKT_TRY(ckt_sweep_record(sweep, pair, &measurement, error));
  }
  return CKT_OK;
}

int ckt_sweep_give_work(struct sweep *sweep, struct ckt_error *error) {
  struct slot *runner = &sweep->slots[CKT_RUN_SLOT];
  CKT_TRY(ckt_sweep_give_compiles(sweep, error));
  if (runner->state == SLOT_BUSY)
    return CKT_OK;
  CKT_TRY(skip_done(sweep, error));
  if (sweep->next_pair >= sweep->plan->pair_count)
    return CKT_OK;
  if (runner->state == SLOT_FREE) {
    sweep->problem_set = SIZE_MAX;
    return ckt_sweep_launch(sweep, CKT_RUN_SLOT, error);
  }
  const struct ckt_plan_pair *pair = &sweep->plan->pairs[sweep->next_pair];
  if (runner->state != SLOT_IDLE)
    return CKT_OK;
  if (sweep->problem_set != pair->problem) /* also while its code compiles */
    return send_problem(sweep, pair->problem, error);
  return sweep->plan->codes[pair->code].state == CKT_CODE_READY ? send_pair(sweep, pair, error) : CKT_OK;
}

/* ---- answers ---- */

/* The device cannot take a problem: none of its pairs can be run. */
static int refuse_problem(struct sweep *sweep, enum ckt_pair_status status, const char *reason,
                          struct ckt_error *error) {
  const struct ckt_plan_problem *problem = &sweep->plan->problems[sweep->problem_set];
  for (size_t i = 0; i < problem->listed; i++) {
    struct ckt_plan_pair *pair = &sweep->plan->pairs[problem->first + i];
    struct ckt_measurement measurement = ckt_sweep_outcome(status, reason);
    if (!pair->done)
      CKT_TRY(ckt_sweep_record(sweep, pair, &measurement, error));
  }
  if (!sweep->result->refused)
    ckt_fail(&sweep->result->refusal, CKT_E_DEVICE, "%s cannot be tuned on this device: %s", problem->key,
             reason);
  sweep->result->refused = true;
  sweep->problem_set = SIZE_MAX;
  sweep->failed_settings = 0;
  return CKT_OK;
}

static int problem_answered(struct sweep *sweep, const struct ckt_pool_event *event,
                            struct ckt_error *error) {
  if (event->kind == CKT_EVENT_MESSAGE) {
    const char *complaint = ckt_json_text(event->message, "error");
    sweep->failed_settings = 0;
    return complaint == NULL ? CKT_OK : refuse_problem(sweep, CKT_RUN_FAILED, complaint, error);
  }
  const bool late = event->kind == CKT_EVENT_DEADLINE;
  if (++sweep->failed_settings < SETTINGS_MAX && !late)
    return CKT_OK; /* tried once more by a fresh worker */
  char reason[CKT_MEASUREMENT_REASON_MAX];
  snprintf(reason, sizeof reason, "the run worker %s while it made inputs and reference: %s",
           late ? "was not done in time" : "ended", event->cause);
  return refuse_problem(sweep, late ? CKT_RUN_TIMEOUT : CKT_RUN_CRASHED, reason, error);
}

/* The code object in the cache does not load: compile it again, once. */
static int code_damaged(struct sweep *sweep, struct ckt_plan_pair *pair, const char *complaint,
                        struct ckt_error *error) {
  struct ckt_plan_code *code = &sweep->plan->codes[pair->code];
  if (code->again) {
    struct ckt_measurement measurement = ckt_sweep_outcome(CKT_RUN_FAILED, complaint);
    return ckt_sweep_record(sweep, pair, &measurement, error);
  }
  ckt_log(CKT_LOG_DEBUG, "%s does not load and is compiled again: %s", code->path, complaint);
  CKT_TRY(ckt_code_cache_remove(sweep->setup->cache, code->key, error));
  code->again = true;
  code->state = CKT_CODE_MISSING;
  if (pair->code < sweep->next_code)
    sweep->next_code = pair->code;
  return CKT_OK;
}

static int pair_answered(struct sweep *sweep, struct ckt_plan_pair *pair, const cJSON *message,
                         struct ckt_error *error) {
  const char *complaint = ckt_json_text(message, "error");
  struct ckt_measurement measurement;
  struct ckt_error unread = {0};
  if (complaint != NULL && (int)ckt_json_number(message, "code", 0) == CKT_E_CACHE)
    return code_damaged(sweep, pair, complaint, error);
  if (complaint != NULL)
    measurement = ckt_sweep_outcome(CKT_RUN_FAILED, complaint);
  else if (ckt_measurement_from_json(cJSON_GetObjectItemCaseSensitive(message, "measurement"), &measurement,
                                     &unread) != CKT_OK)
    measurement = ckt_sweep_outcome(CKT_RUN_CRASHED, unread.text);
  CKT_TRY(ckt_sweep_record(sweep, pair, &measurement, error));
  if (cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(message, "last"))) {
    ckt_pool_stop(sweep->session->pool, CKT_RUN_SLOT); /* its device is spoilt; a fresh one goes on */
    sweep->slots[CKT_RUN_SLOT].state = SLOT_FREE;
  }
  return CKT_OK;
}

static int pair_lost(struct sweep *sweep, struct ckt_plan_pair *pair, const struct ckt_pool_event *event,
                     struct ckt_error *error) {
  char reason[CKT_MEASUREMENT_REASON_MAX];
  const bool late = event->kind == CKT_EVENT_DEADLINE;
  if (late)
    snprintf(reason, sizeof reason, "the kernel was not done after %g s (--run-timeout): %s",
             sweep->setup->run_timeout, event->cause);
  else
    snprintf(reason, sizeof reason, "the run worker ended: %s", event->cause);
  struct ckt_measurement measurement = ckt_sweep_outcome(late ? CKT_RUN_TIMEOUT : CKT_RUN_CRASHED, reason);
  return ckt_sweep_record(sweep, pair, &measurement, error);
}

int ckt_sweep_ran(struct sweep *sweep, const struct ckt_pool_event *event, struct ckt_error *error) {
  if (sweep->setting)
    return problem_answered(sweep, event, error);
  struct ckt_plan_pair *pair = &sweep->plan->pairs[sweep->next_pair];
  return event->kind == CKT_EVENT_MESSAGE ? pair_answered(sweep, pair, event->message, error)
                                          : pair_lost(sweep, pair, event, error);
}
