/* cktune best: the fastest instance that the store knows for each problem. */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/log.h"
#include "driver/command.h"
#include "driver/place_choice.h"
#include "driver/table.h"
#include "gen/arch.h"
#include "results/json_number.h"
#include "results/measurement_json.h"

static int add_best(cJSON *array, const struct ckt_record *record, struct ckt_error *error) {
  cJSON *object = cJSON_CreateObject();
  cJSON_AddItemToArray(array, object);
  bool added = ckt_json_add_text(object, "key", record->problem_key);
  added &= ckt_json_add_i64(object, "run", record->run);
  added &= ckt_json_add_text(object, "started", record->started);
  added &= ckt_json_add_text(object, "device", record->device_name);
  added &= ckt_json_add_text(object, "arch", record->device_arch);
  added &= ckt_json_add_text(object, "hip", record->hip_version);
  added &= ckt_json_add_text(object, "hiprtc", record->rtc_version);
  added &= ckt_json_add_text(object, "cache", record->cache_state);
  added &= ckt_json_add_text(object, "instance", record->name);
  added &= ckt_json_add_text(object, "line", record->line);
  if (!added)
    return ckt_fail(error, CKT_E_NOMEM, "memory ran out");
  return ckt_measurement_to_json(&record->measurement, object, error);
}

static int print_json(const struct ckt_record_list *list, struct ckt_error *error) {
  cJSON *root = cJSON_CreateObject();
  cJSON_AddNumberToObject(root, "schema", 1);
  cJSON *array = cJSON_AddArrayToObject(root, "bests");
  int status = CKT_OK;
  for (size_t i = 0; i < list->count && status == CKT_OK; i++)
    status = add_best(array, &list->items[i], error);
  char *text = status == CKT_OK ? cJSON_Print(root) : NULL;
  if (text != NULL)
    printf("%s\n", text);
  else if (status == CKT_OK)
    status = ckt_fail(error, CKT_E_NOMEM, "memory ran out");
  cJSON_free(text);
  cJSON_Delete(root);
  return status;
}

static void print_table(const struct ckt_record_list *list) {
  struct ckt_text text = {0};
  ckt_table_best(list, &text);
  fputs(ckt_text_string(&text), stdout);
  ckt_text_free(&text);
}

/* Appends what the store has for one problem, or for all (key NULL). */
static int show(struct ckt_store *store, const struct ckt_options *options, const char *key, int *status,
                struct ckt_error *error) {
  const struct ckt_best_filter filter = {.problem_key = key, .device_arch = options->arch};
  struct ckt_record_list list = {0};
  CKT_TRY(ckt_store_best(store, &filter, &list, error));
  int code = CKT_OK;
  if (strcmp(options->format, "json") == 0)
    code = print_json(&list, error);
  else if (list.count > 0)
    print_table(&list);
  if (list.count == 0) {
    ckt_log(CKT_LOG_WARNING, "the store has no measurement of %s", key != NULL ? key : "any problem");
    *status = CKT_EXIT_NO_BEST;
  }
  ckt_record_list_free(&list);
  return code;
}

static int read_key(const struct ckt_options *options, const char *spec, char key[CKT_PROBLEM_KEY_MAX],
                    struct ckt_error *error) {
  struct ckt_problem_defaults kind = {.spatial = (int)options->spatial};
  struct ckt_problem problem;
  CKT_TRY(ckt_direction_parse(options->direction, &kind.direction, error));
  CKT_TRY(ckt_dtype_parse(options->dtype, &kind.dtype, error));
  CKT_TRY(ckt_problem_parse(spec, &kind, &problem, error));
  ckt_problem_key(&problem, key);
  return CKT_OK;
}

static int show_asked(struct ckt_store *store, const struct ckt_options *options, int *status,
                      struct ckt_error *error) {
  char key[CKT_PROBLEM_KEY_MAX];
  if (options->problems.count == 0)
    return show(store, options, NULL, status, error);
  CKT_TRY(read_key(options, options->problems.items[0], key, error));
  return show(store, options, key, status, error);
}

static int run(const struct ckt_options *options, int *status, struct ckt_error *error) {
  const struct ckt_arch *arch;
  struct ckt_store *store = NULL;
  if (options->operands.count > 0 || options->problems.count > 1)
    return ckt_fail(error, CKT_E_USAGE,
                    "'cktune best' takes one --problem, or none for all that the store has");
  if (options->arch != NULL)
    CKT_TRY(ckt_arch_parse(options->arch, &arch, error));
  CKT_TRY(ckt_open_store(options, true, &store, error));
  const int code = show_asked(store, options, status, error);
  ckt_store_close(&store);
  return code;
}

const struct ckt_command ckt_command_best = {
    .name = "best",
    .bit = CKT_FOR_BEST,
    .operands = "",
    .summary = "show the fastest instance the store has for a problem, or for all",
    .example = "cktune best --problem 2,64,64,14,14,3,3,1,1,1,1 --format json",
    .run = run,
};
