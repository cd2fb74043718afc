#include "driver/sweep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/log.h"
#include "driver/progress.h"
#include "driver/sweep_parts.h"

/* ---- recording ---- */

struct ckt_measurement ckt_sweep_outcome(enum ckt_pair_status status, const char *reason) {
  struct ckt_measurement measurement = {.status = status,
                                        .vgprs = -1,
                                        .agprs = -1,
                                        .sgprs = -1,
                                        .lds_bytes = -1,
                                        .scratch_bytes = -1,
                                        .workgroups_per_cu = -1,
                                        .worst_index = -1};
  snprintf(measurement.reason, sizeof measurement.reason, "%s", reason);
  return measurement;
}

static void note_outcome(struct sweep *sweep, const struct ckt_plan_pair *pair,
                         const struct ckt_measurement *measurement) {
  if (measurement->status == CKT_MEASURED || measurement->status == CKT_NOT_APPLICABLE)
    return;
  ckt_progress_clear(&sweep->progress);
  ckt_log(CKT_LOG_DEBUG, "%s on %s: %s: %s", pair->entry->name, sweep->plan->problems[pair->problem].key,
          ckt_status_word(measurement->status), measurement->reason);
}

int ckt_sweep_record(struct sweep *sweep, struct ckt_plan_pair *pair, struct ckt_measurement *measurement,
                     struct ckt_error *error) {
  struct ckt_plan_problem *problem = &sweep->plan->problems[pair->problem];
  struct ckt_plan_code *code = pair->code != CKT_NO_CODE ? &sweep->plan->codes[pair->code] : NULL;
  if (code != NULL) { /* the first pair that uses a code accounts for its compile */
    measurement->compile_seconds = code->seconds;
    code->seconds = 0;
  }
  CKT_TRY(ckt_store_record(sweep->setup->store, sweep->setup->run, &problem->problem, pair->entry,
                           sweep->plan->lists[pair->list].list.path, measurement, error));
  pair->done = true;
  sweep->progress.done++;
  if (measurement->status == CKT_MEASURED) {
    problem->measured = true;
    sweep->result->measured_now++;
    if (sweep->progress.best_ms == 0 || measurement->time_ms < sweep->progress.best_ms)
      sweep->progress.best_ms = measurement->time_ms;
  }
  note_outcome(sweep, pair, measurement);
  return CKT_OK;
}

static int record_not_applicable(struct sweep *sweep, struct ckt_error *error) {
  for (size_t i = 0; i < sweep->plan->pair_count; i++) {
    struct ckt_plan_pair *pair = &sweep->plan->pairs[i];
    if (pair->done || pair->code != CKT_NO_CODE)
      continue;
    struct ckt_measurement measurement = ckt_sweep_outcome(CKT_NOT_APPLICABLE, pair->reason);
    CKT_TRY(ckt_sweep_record(sweep, pair, &measurement, error));
  }
  return CKT_OK;
}

/* ---- resuming ---- */

static void take_over(struct ckt_plan *plan, struct ckt_plan_problem *problem,
                      const struct ckt_record *record) {
  for (size_t i = 0; i < problem->listed; i++) {
    struct ckt_plan_pair *pair = &plan->pairs[problem->first + i];
    char key[CKT_INSTANCE_KEY_MAX];
    if (pair->done)
      continue;
    ckt_instance_key(&pair->entry->instance, key);
    if (strcmp(key, record->instance_key) != 0)
      continue;
    pair->done = true;
    problem->resumed++;
    problem->measured |= record->measurement.status == CKT_MEASURED;
    return;
  }
}

int ckt_sweep_resume(const struct ckt_sweep_setup *setup, struct ckt_error *error) {
  for (size_t i = 0; i < setup->plan->problem_count; i++) {
    struct ckt_plan_problem *problem = &setup->plan->problems[i];
    struct ckt_record_list records = {0};
    CKT_TRY(ckt_store_run_records(setup->store, setup->run, problem->key, &records, error));
    for (size_t j = 0; j < records.count; j++)
      take_over(setup->plan, problem, &records.items[j]);
    ckt_record_list_free(&records);
  }
  return CKT_OK;
}

/* ---- the loop ---- */

int ckt_sweep_launch(struct sweep *sweep, size_t slot, struct ckt_error *error) {
  sweep->slots[slot].state = SLOT_STARTING;
  return ckt_session_launch(sweep->session, slot, error);
}

#define STARTS_MAX 3 /* times in a row that a worker may die before its first answer */

/* A worker that was to be ready is not. */
static int start_failed(struct sweep *sweep, const struct ckt_pool_event *event, struct ckt_error *error) {
  struct slot *slot = &sweep->slots[event->slot];
  slot->state = SLOT_FREE;
  if (++slot->failed_starts < STARTS_MAX)
    return CKT_OK;
  return ckt_fail(error, CKT_E_TOOLCHAIN, "%s could not be started again after %d tries: %s",
                  ckt_slot_name(event->slot), STARTS_MAX, event->cause);
}

static int worker_ready(struct sweep *sweep, const struct ckt_pool_event *event, struct ckt_error *error) {
  struct slot *slot = &sweep->slots[event->slot];
  CKT_TRY(ckt_session_heard(sweep->session, event->slot, event->message, error));
  slot->state = SLOT_IDLE;
  slot->failed_starts = 0;
  return CKT_OK;
}

static int handle_worker(struct sweep *sweep, const struct ckt_pool_event *event, struct ckt_error *error) {
  struct slot *slot = &sweep->slots[event->slot];
  const bool died = event->kind != CKT_EVENT_MESSAGE;
  if (slot->state == SLOT_STARTING)
    return died ? start_failed(sweep, event, error) : worker_ready(sweep, event, error);
  const bool busy = slot->state == SLOT_BUSY;
  slot->state = died ? SLOT_FREE : SLOT_IDLE;
  if (!busy) {
    if (died)
      ckt_log(CKT_LOG_DEBUG, "%s ended while it had nothing to do: %s", ckt_slot_name(event->slot),
              event->cause);
    return CKT_OK;
  }
  return event->slot == CKT_RUN_SLOT ? ckt_sweep_ran(sweep, event, error)
                                     : ckt_sweep_compiled(sweep, event, error);
}

static int handle(struct sweep *sweep, struct ckt_pool_event *event, struct ckt_error *error) {
  if (event->kind == CKT_EVENT_TICK)
    return CKT_OK;
  if (event->kind == CKT_EVENT_SIGNAL) {
    ckt_progress_clear(&sweep->progress);
    return ckt_fail(error, CKT_E_INTERRUPTED,
                    "interrupted; the %zu pairs that are done are kept, and the same command goes on",
                    sweep->done_before + sweep->progress.done);
  }
  const int status = handle_worker(sweep, event, error);
  cJSON_Delete(event->message);
  return status;
}

static bool budget_spent(const struct sweep *sweep) {
  return sweep->setup->budget > 0 && ckt_now() - sweep->progress.start >= sweep->setup->budget;
}

static size_t count_left(const struct sweep *sweep) {
  size_t left = 0;
  for (size_t i = 0; i < sweep->plan->pair_count; i++)
    left += !sweep->plan->pairs[i].done;
  return left;
}

static bool run_worker_busy(const struct sweep *sweep) {
  return sweep->slots[CKT_RUN_SLOT].state == SLOT_BUSY;
}

static int loop(struct sweep *sweep, struct ckt_error *error) {
  for (;;) {
    const bool spent = budget_spent(sweep);
    if (!spent)
      CKT_TRY(ckt_sweep_give_work(sweep, error));
    if (sweep->next_pair >= sweep->plan->pair_count || (spent && !run_worker_busy(sweep)))
      return CKT_OK;
    struct ckt_pool_event event;
    CKT_TRY(ckt_pool_next(sweep->session->pool, 0.25, &event, error));
    CKT_TRY(handle(sweep, &event, error));
    ckt_progress_show(&sweep->progress);
  }
}

/* A compile that is no longer wanted by any pair to do costs nothing. */
static void drop_unneeded_codes(struct sweep *sweep) {
  bool *needed = sweep->needed;
  for (size_t i = 0; i < sweep->plan->pair_count; i++)
    if (!sweep->plan->pairs[i].done && sweep->plan->pairs[i].code != CKT_NO_CODE)
      needed[sweep->plan->pairs[i].code] = true;
  for (size_t i = 0; i < sweep->plan->code_count; i++)
    if (!needed[i] && sweep->plan->codes[i].state == CKT_CODE_MISSING)
      sweep->plan->codes[i].state = CKT_CODE_UNWANTED;
}

static int run_sweep(struct sweep *sweep, struct ckt_error *error) {
  sweep->slots = calloc(sweep->slot_count, sizeof *sweep->slots);
  sweep->needed = calloc(sweep->plan->code_count + 1, sizeof *sweep->needed);
  if (sweep->slots == NULL || sweep->needed == NULL)
    return ckt_fail(error, CKT_E_NOMEM, "memory ran out");
  for (size_t i = 0; i < sweep->slot_count; i++)
    sweep->slots[i].state = ckt_pool_running(sweep->session->pool, i) ? SLOT_IDLE : SLOT_FREE;
  const size_t to_do = count_left(sweep);
  sweep->done_before = sweep->plan->pair_count - to_do;
  ckt_progress_start(&sweep->progress, to_do, sweep->setup->quiet);
  drop_unneeded_codes(sweep);
  CKT_TRY(record_not_applicable(sweep, error));
  return loop(sweep, error);
}

int ckt_sweep(const struct ckt_sweep_setup *setup, struct ckt_sweep_result *result, struct ckt_error *error) {
  *result = (struct ckt_sweep_result){0};
  struct sweep sweep = {.setup = setup,
                        .session = setup->session,
                        .plan = setup->plan,
                        .result = result,
                        .slot_count = CKT_FIRST_COMPILE_SLOT + setup->session->setup.jobs,
                        .problem_set = SIZE_MAX};
  const int status = run_sweep(&sweep, error);
  ckt_progress_clear(&sweep.progress);
  result->seconds = ckt_now() - sweep.progress.start;
  result->compiled_now = sweep.progress.compiled;
  result->left = count_left(&sweep);
  free(sweep.slots);
  free(sweep.needed);
  return status;
}
