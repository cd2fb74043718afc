#include "results/document.h"

#include <stdlib.h>
#include <string.h>

#include "results/json_number.h"
#include "results/measurement_fields.h"
#include "results/measurement_json.h"
#include "results/ranking.h"

#define SCHEMA 1

/* Everything that the document is built from. */
struct source {
  struct ckt_run_info run;
  struct ckt_record_list records; /* of the whole run, in order of recording */
};

static int no_memory(struct ckt_error *error) {
  return ckt_fail(error, CKT_E_NOMEM, "memory ran out");
}

static int all_added(bool added, struct ckt_error *error) {
  return added ? CKT_OK : no_memory(error);
}

static int add_run(cJSON *root, const struct ckt_run_info *run, struct ckt_error *error) {
  cJSON *object = cJSON_AddObjectToObject(root, "run");
  cJSON *device = cJSON_AddObjectToObject(object, "device");
  cJSON *toolchain = cJSON_AddObjectToObject(object, "toolchain");
  bool added = ckt_json_add_i64(object, "id", run->id);
  added &= ckt_json_add_text(object, "started", run->started);
  added &= ckt_json_add_text(object, "finished", run->finished);
  added &= ckt_json_add_text(object, "version", run->version);
  added &= ckt_json_add_text(object, "command", run->command);
  added &= ckt_json_add_text(object, "cache", run->cache_state);
  added &= ckt_json_add_text(object, "init", run->init);
  added &= ckt_json_add_text(device, "name", run->device_name);
  added &= ckt_json_add_text(device, "arch", run->device_arch);
  added &= ckt_json_add_text(device, "target", run->device_target);
  added &= cJSON_AddBoolToObject(device, "simulated", run->simulated) != NULL;
  added &= ckt_json_add_i64(device, "compute_units", run->compute_units);
  added &= ckt_json_add_i64(device, "memory_bytes", run->memory_bytes);
  added &= ckt_json_add_i64(device, "clock_khz", run->clock_khz);
  added &= ckt_json_add_text(toolchain, "hip", run->hip_version);
  added &= ckt_json_add_text(toolchain, "hiprtc", run->rtc_version);
  added &= ckt_json_add_text(toolchain, "kernels", run->kernels_digest);
  return all_added(added, error);
}

/* A pair whose kernel was compiled, or came from the cache: it reached the run worker. */
static bool was_compiled(enum ckt_pair_status status) {
  switch (status) {
  case CKT_MEASURED:
  case CKT_WRONG_RESULT:
  case CKT_RUN_FAILED:
  case CKT_RUN_TIMEOUT:
  case CKT_RUN_CRASHED:
    return true;
  default:
    return false;
  }
}

static int add_counts(cJSON *object, const struct ckt_record *const *records, size_t count, int64_t listed,
                      int64_t resumed, struct ckt_error *error) {
  int64_t of_status[CKT_STATUS_COUNT] = {0};
  int64_t compiled = 0;
  for (size_t i = 0; i < count; i++) {
    const enum ckt_pair_status status = records[i]->measurement.status;
    of_status[status]++;
    compiled += was_compiled(status);
  }
  cJSON *counts = cJSON_AddObjectToObject(object, "counts");
  bool added = ckt_json_add_i64(counts, "listed", listed);
  added &= ckt_json_add_i64(counts, "compiled", compiled);
  added &= ckt_json_add_i64(counts, "resumed", resumed);
  for (int status = 0; status < CKT_STATUS_COUNT; status++)
    added &= ckt_json_add_i64(counts, ckt_status_word((enum ckt_pair_status)status), of_status[status]);
  added &= ckt_json_add_i64(counts, "not_reached", listed - (int64_t)count);
  return all_added(added, error);
}

static bool add_names(cJSON *object, const struct ckt_record *record) {
  bool added = ckt_json_add_text(object, "instance", record->name);
  added &= ckt_json_add_text(object, "line", record->line);
  added &= ckt_json_add_text(object, "key", record->instance_key);
  return added;
}

static int add_best(cJSON *object, const struct ckt_record *record, struct ckt_error *error) {
  if (record == NULL)
    return all_added(cJSON_AddNullToObject(object, "best") != NULL, error);
  const struct ckt_measurement *measurement = &record->measurement;
  cJSON *best = cJSON_AddObjectToObject(object, "best");
  bool added = add_names(best, record);
  added &= ckt_json_add_f64(best, "time_ms", measurement->time_ms);
  added &= ckt_json_add_f64(best, "tflops", measurement->tflops);
  added &= ckt_json_add_f64(best, "gbps", measurement->gbps);
  added &= ckt_json_add_text(best, "timer", measurement->simulated ? CKT_TIMER_MODEL : CKT_TIMER_HIP_EVENT);
  added &= ckt_json_add_i64(best, "samples", measurement->samples);
  return all_added(added, error);
}

static int add_candidates(cJSON *object, const struct ckt_record *const *records, size_t count,
                          struct ckt_error *error) {
  cJSON *candidates = cJSON_AddArrayToObject(object, "candidates");
  for (size_t i = 0; i < count; i++) {
    cJSON *candidate = cJSON_CreateObject();
    if (!cJSON_AddItemToArray(candidates, candidate)) {
      cJSON_Delete(candidate);
      return no_memory(error);
    }
    CKT_TRY(all_added(add_names(candidate, records[i]), error));
    CKT_TRY(all_added(ckt_json_add_i64(candidate, "id", records[i]->id), error));
    CKT_TRY(ckt_measurement_to_json(&records[i]->measurement, candidate, error));
  }
  return all_added(candidates != NULL, error);
}

/* `records`: room for all records of the run; filled with the problem's, ranked. */
static int add_problem(cJSON *problems, const struct source *source, const char *key,
                       const struct ckt_document_problem *known, const struct ckt_record **records,
                       struct ckt_error *error) {
  size_t count = 0;
  for (size_t i = 0; i < source->records.count; i++)
    if (strcmp(source->records.items[i].problem_key, key) == 0)
      records[count++] = &source->records.items[i];
  const struct ckt_record *best = ckt_rank(records, count) > 0 ? records[0] : NULL;
  cJSON *object = cJSON_CreateObject();
  if (!cJSON_AddItemToArray(problems, object)) {
    cJSON_Delete(object);
    return no_memory(error);
  }
  const struct ckt_problem *problem = known != NULL ? &known->problem : &records[0]->problem;
  bool added = ckt_json_add_text(object, "key", key);
  added &= ckt_json_add_i64(object, "flops", ckt_problem_flops(problem));
  added &= ckt_json_add_text(object, "status", best != NULL ? "ok" : "no_instance");
  CKT_TRY(all_added(added, error));
  CKT_TRY(add_counts(object, records, count, known != NULL ? known->listed : (int64_t)count,
                     known != NULL ? known->resumed : 0, error));
  CKT_TRY(add_best(object, best, error));
  return add_candidates(object, records, count, error);
}

/* Problems in the order of their first record; those of a run are recorded one after the other, but one that
 * was interrupted may come back later. */
static bool is_first_of_problem(const struct ckt_record_list *records, size_t index) {
  if (index > 0 && strcmp(records->items[index].problem_key, records->items[index - 1].problem_key) == 0)
    return false;
  for (size_t i = 0; i < index; i++)
    if (strcmp(records->items[i].problem_key, records->items[index].problem_key) == 0)
      return false;
  return true;
}

static int add_problems(cJSON *root, const struct source *source, const struct ckt_document_problem *known,
                        size_t count, struct ckt_error *error) {
  cJSON *problems = cJSON_AddArrayToObject(root, "problems");
  const struct ckt_record **records = calloc(source->records.count + 1, sizeof(const struct ckt_record *));
  if (problems == NULL || records == NULL) {
    free(records);
    return no_memory(error);
  }
  int status = CKT_OK;
  for (size_t i = 0; known != NULL && i < count && status == CKT_OK; i++) {
    char key[CKT_PROBLEM_KEY_MAX];
    ckt_problem_key(&known[i].problem, key);
    status = add_problem(problems, source, key, &known[i], records, error);
  }
  for (size_t i = 0; known == NULL && i < source->records.count && status == CKT_OK; i++)
    if (is_first_of_problem(&source->records, i))
      status = add_problem(problems, source, source->records.items[i].problem_key, NULL, records, error);
  free(records);
  return status;
}

static int print(const cJSON *root, bool indent, struct ckt_text *json, struct ckt_error *error) {
  char *text = indent ? cJSON_Print(root) : cJSON_PrintUnformatted(root);
  if (text == NULL)
    return no_memory(error);
  ckt_text_append(json, text);
  cJSON_free(text);
  return ckt_text_status(json, error);
}

static int build(const struct source *source, const struct ckt_document_problem *problems, size_t count,
                 bool indent, struct ckt_text *json, struct ckt_error *error) {
  cJSON *root = cJSON_CreateObject();
  int status = all_added(ckt_json_add_i64(root, "schema", SCHEMA), error);
  if (status == CKT_OK)
    status = add_run(root, &source->run, error);
  if (status == CKT_OK)
    status = add_problems(root, source, problems, count, error);
  if (status == CKT_OK)
    status = print(root, indent, json, error);
  cJSON_Delete(root);
  return status;
}

int ckt_document_build(struct ckt_store *store, int64_t run, const struct ckt_document_problem *problems,
                       size_t count, bool indent, struct ckt_text *json, struct ckt_error *error) {
  struct source source = {0};
  int status = ckt_store_run_info(store, run, &source.run, error);
  if (status == CKT_OK)
    status = ckt_store_run_records(store, run, NULL, &source.records, error);
  if (status == CKT_OK)
    status = build(&source, problems, count, indent, json, error);
  ckt_record_list_free(&source.records);
  ckt_run_info_free(&source.run);
  return status;
}
