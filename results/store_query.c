/* Reads the store. */
#include <stdlib.h>
#include <string.h>

#include "results/store_sql.h"

static int damaged(struct ckt_store *store, const char *column, const char *word, struct ckt_error *error) {
  return ckt_fail(error, CKT_E_STORE,
                  "the store %s has a row whose %s \"%s\" is not known to this cktune; a newer one may have "
                  "written it",
                  store->path, column, word);
}

static int read_problem(struct ckt_sql *sql, struct ckt_problem *problem, struct ckt_error *error) {
  const char *direction = ckt_sql_peek_text(sql);
  if (ckt_direction_parse(direction, &problem->direction, NULL) != CKT_OK)
    return damaged(sql->store, "direction", direction, error);
  const char *dtype = ckt_sql_peek_text(sql);
  if (ckt_dtype_parse(dtype, &problem->dtype, NULL) != CKT_OK)
    return damaged(sql->store, "dtype", dtype, error);
  problem->spatial = (int)ckt_sql_read_i64(sql);
#define ROW(column, member) problem->member = ckt_sql_read_i64(sql);
  CKT_PROBLEM_NUMBERS(ROW)
#undef ROW
  return CKT_OK;
}

static int read_measurement(struct ckt_sql *sql, struct ckt_measurement *measurement,
                            struct ckt_error *error) {
  const char *word = ckt_sql_peek_text(sql);
  const int status = ckt_status_parse(word);
  if (status < 0)
    return damaged(sql->store, "status", word, error);
  measurement->status = (enum ckt_pair_status)status;
  const char *reason = ckt_sql_peek_text(sql);
  const size_t length = strnlen(reason, sizeof measurement->reason - 1);
  memcpy(measurement->reason, reason, length);
  measurement->reason[length] = '\0';
  measurement->simulated = ckt_sql_read_i64(sql) != 0;
  word = ckt_sql_peek_text(sql);
  const int method = ckt_method_parse(word);
  if (method < 0)
    return damaged(sql->store, "method", word, error);
  measurement->method = (enum ckt_method)method;
  measurement->error_ratio = ckt_sql_read_f64(sql);
#define ROW(member) measurement->member = ckt_sql_read_f64(sql);
  CKT_MEASUREMENT_REALS(ROW)
#undef ROW
#define ROW(member) measurement->member = ckt_sql_read_i64(sql);
  CKT_MEASUREMENT_INTEGERS(ROW)
#undef ROW
  return CKT_OK;
}

/* In the order of CKT_SQL_RECORD_COLUMNS. */
static int read_record(struct ckt_sql *sql, struct ckt_record *record, struct ckt_error *error) {
  record->problem_key = ckt_sql_read_text(sql);
  CKT_TRY(read_problem(sql, &record->problem, error));
  record->instance_key = ckt_sql_read_text(sql);
  record->name = ckt_sql_read_text(sql);
  record->line = ckt_sql_read_text(sql);
  record->id = ckt_sql_read_i64(sql);
  record->run = ckt_sql_read_i64(sql);
  CKT_TRY(read_measurement(sql, &record->measurement, error));
  record->device_name = ckt_sql_read_text(sql);
  record->device_target = ckt_sql_read_text(sql);
  record->device_arch = ckt_sql_read_text(sql);
  record->hip_version = ckt_sql_read_text(sql);
  record->rtc_version = ckt_sql_read_text(sql);
  record->cache_state = ckt_sql_read_text(sql);
  record->started = ckt_sql_read_text(sql);
  return CKT_OK;
}

/* A zeroed item at the end of an array of `count`, whose room doubles; NULL when memory ran out. */
static void *append_item(void **items, size_t *count, size_t size) {
  if ((*count & (*count - 1)) == 0) { /* 0 and the powers of two: full */
    const size_t room = *count == 0 ? 1 : *count * 2;
    void *larger = reallocarray(*items, room, size);
    if (larger == NULL)
      return NULL;
    *items = larger;
  }
  void *item = (char *)*items + *count * size;
  memset(item, 0, size);
  (*count)++;
  return item;
}

static int read_records(struct ckt_sql *sql, struct ckt_record_list *list, struct ckt_error *error) {
  for (;;) {
    bool row;
    CKT_TRY(ckt_sql_next(sql, &row, error));
    if (!row)
      return CKT_OK;
    void *items = list->items;
    struct ckt_record *record = append_item(&items, &list->count, sizeof *record);
    list->items = items;
    if (record == NULL)
      return ckt_fail(error, CKT_E_NOMEM, "memory ran out");
    CKT_TRY(read_record(sql, record, error));
  }
}

static int finish_records(struct ckt_sql *sql, struct ckt_record_list *list, struct ckt_error *error) {
  *list = (struct ckt_record_list){0};
  int status = read_records(sql, list, error);
  const int end = ckt_sql_end(sql, status == CKT_OK ? error : NULL);
  if (status == CKT_OK)
    status = end;
  if (status != CKT_OK)
    ckt_record_list_free(list);
  return status;
}

int ckt_store_run_records(struct ckt_store *store, int64_t run, const char *problem_key,
                          struct ckt_record_list *list, struct ckt_error *error) {
  struct ckt_sql sql = ckt_sql_start(store, CKT_SQL_RUN_RECORDS);
  ckt_sql_i64(&sql, run);
  ckt_sql_text(&sql, problem_key);
  return finish_records(&sql, list, error);
}

int ckt_store_best(struct ckt_store *store, const struct ckt_best_filter *filter,
                   struct ckt_record_list *list, struct ckt_error *error) {
  static const struct ckt_best_filter everything;
  if (filter == NULL)
    filter = &everything;
  struct ckt_sql sql = ckt_sql_start(store, CKT_SQL_BEST);
  ckt_sql_text(&sql, filter->problem_key);
  ckt_sql_text(&sql, filter->device_arch);
  ckt_sql_text(&sql, filter->direction);
  ckt_sql_text(&sql, filter->dtype);
  return finish_records(&sql, list, error);
}

void ckt_record_list_free(struct ckt_record_list *list) {
  for (size_t i = 0; i < list->count; i++) {
    struct ckt_record *record = &list->items[i];
    free(record->problem_key);
    free(record->instance_key);
    free(record->name);
    free(record->line);
    free(record->device_name);
    free(record->device_target);
    free(record->device_arch);
    free(record->hip_version);
    free(record->rtc_version);
    free(record->cache_state);
    free(record->started);
  }
  free(list->items);
  *list = (struct ckt_record_list){0};
}

int ckt_store_newest_run(struct ckt_store *store, int64_t *run, struct ckt_error *error) {
  bool found;
  *run = 0;
  struct ckt_sql sql = ckt_sql_start(store, CKT_SQL_NEWEST_RUN);
  return ckt_sql_one_i64(&sql, run, &found, error);
}

static void read_run_info(struct ckt_sql *sql, struct ckt_run_info *info) {
  info->id = ckt_sql_read_i64(sql);
  info->identity = ckt_sql_read_text(sql);
  info->command = ckt_sql_read_text(sql);
  info->version = ckt_sql_read_text(sql);
  info->started = ckt_sql_read_text(sql);
  info->finished = ckt_sql_read_text(sql);
  info->hip_version = ckt_sql_read_text(sql);
  info->rtc_version = ckt_sql_read_text(sql);
  info->kernels_digest = ckt_sql_read_text(sql);
  info->device_name = ckt_sql_read_text(sql);
  info->device_target = ckt_sql_read_text(sql);
  info->device_arch = ckt_sql_read_text(sql);
  info->cache_state = ckt_sql_read_text(sql);
  info->init = ckt_sql_read_text(sql);
  info->simulated = ckt_sql_read_i64(sql) != 0;
  info->compute_units = ckt_sql_read_i64(sql);
  info->memory_bytes = ckt_sql_read_i64(sql);
  info->clock_khz = ckt_sql_read_i64(sql);
}

int ckt_store_run_info(struct ckt_store *store, int64_t run, struct ckt_run_info *info,
                       struct ckt_error *error) {
  *info = (struct ckt_run_info){0};
  struct ckt_sql sql = ckt_sql_start(store, CKT_SQL_RUN_INFO);
  ckt_sql_i64(&sql, run);
  bool row;
  if (ckt_sql_next(&sql, &row, error) == CKT_OK && row)
    read_run_info(&sql, info);
  int status = ckt_sql_end(&sql, error);
  if (status == CKT_OK && !row)
    status =
        ckt_fail(error, CKT_E_INPUT, "there is no run %lld in the store %s", (long long)run, store->path);
  if (status != CKT_OK)
    ckt_run_info_free(info);
  return status;
}

void ckt_run_info_free(struct ckt_run_info *info) {
  free(info->identity);
  free(info->command);
  free(info->version);
  free(info->started);
  free(info->finished);
  free(info->hip_version);
  free(info->rtc_version);
  free(info->kernels_digest);
  free(info->device_name);
  free(info->device_target);
  free(info->device_arch);
  free(info->cache_state);
  free(info->init);
  *info = (struct ckt_run_info){0};
}

/* --- the upload queue, as it is read --- */

static int read_uploads(struct ckt_sql *sql, struct ckt_upload_list *list, struct ckt_error *error) {
  for (;;) {
    bool row;
    CKT_TRY(ckt_sql_next(sql, &row, error));
    if (!row)
      return CKT_OK;
    void *items = list->items;
    struct ckt_upload *upload = append_item(&items, &list->count, sizeof *upload);
    list->items = items;
    if (upload == NULL)
      return ckt_fail(error, CKT_E_NOMEM, "memory ran out");
    upload->run = ckt_sql_read_i64(sql);
    upload->url = ckt_sql_read_text(sql);
    upload->reason = ckt_sql_read_text(sql);
  }
}

int ckt_store_uploads(struct ckt_store *store, struct ckt_upload_list *list, struct ckt_error *error) {
  *list = (struct ckt_upload_list){0};
  struct ckt_sql sql = ckt_sql_start(store, CKT_SQL_UPLOADS);
  int status = read_uploads(&sql, list, error);
  const int end = ckt_sql_end(&sql, status == CKT_OK ? error : NULL);
  if (status == CKT_OK)
    status = end;
  if (status != CKT_OK)
    ckt_upload_list_free(list);
  return status;
}

void ckt_upload_list_free(struct ckt_upload_list *list) {
  for (size_t i = 0; i < list->count; i++) {
    free(list->items[i].url);
    free(list->items[i].reason);
  }
  free(list->items);
  *list = (struct ckt_upload_list){0};
}
