#include "results/store.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/file.h"
#include "results/store_sql.h"
#include "results/upload.h"

#define BUSY_TIMEOUT_MS 20000

static int make_folder_of(const char *path, struct ckt_error *error) {
  const char *slash = strrchr(path, '/');
  if (slash == NULL || slash == path)
    return CKT_OK;
  char *folder = strndup(path, (size_t)(slash - path));
  if (folder == NULL)
    return ckt_fail(error, CKT_E_NOMEM, "memory ran out");
  struct ckt_error cause = {0};
  int status = ckt_make_folder(folder, &cause);
  if (status != CKT_OK)
    status = ckt_fail(error, CKT_E_STORE, "the store %s cannot be made: %s; name another file with --db",
                      path, cause.text);
  free(folder);
  return status;
}

/* A store that nobody writes to, in a folder that this user cannot write to: SQLite could not make the shared
 * memory that WAL needs, and must be told that the file does not change. */
static bool is_frozen(const char *path) {
  struct ckt_text text = {0};
  ckt_text_printf(&text, "%s-wal", path);
  const bool has_wal = ckt_file_exists(ckt_text_string(&text));
  ckt_text_clear(&text);
  const char *slash = strrchr(path, '/');
  if (slash == NULL)
    ckt_text_append(&text, ".");
  else
    ckt_text_append_bytes(&text, path, (size_t)(slash - path + 1));
  const bool writable = access(ckt_text_string(&text), W_OK) == 0;
  ckt_text_free(&text);
  return !has_wal && !writable;
}

/* These return SQLite's codes. */
static int connect_frozen(struct ckt_store *store) {
  struct ckt_text uri = {0};
  ckt_text_append(&uri, store->path[0] == '/' ? "file:" : "file:./");
  for (const char *at = store->path; *at != '\0'; at++)
    ckt_text_printf(&uri, strchr("%?#", *at) != NULL ? "%%%02X" : "%c", (unsigned)(unsigned char)*at);
  ckt_text_append(&uri, "?immutable=1");
  int status = SQLITE_NOMEM;
  if (ckt_text_status(&uri, NULL) == CKT_OK)
    status = sqlite3_open_v2(ckt_text_string(&uri), &store->db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL);
  ckt_text_free(&uri);
  return status;
}

/* To SQLite ":memory:" is no file, and where it is so built "file:..." is a URI that may say the same: the results
 * would be lost. With "./" before it a name is nothing but a name. */
static int connect_file(struct ckt_store *store, int flags) {
  struct ckt_text name = {0};
  ckt_text_printf(&name, "%s%s", store->path[0] == '/' ? "" : "./", store->path);
  const int status = ckt_text_status(&name, NULL) == CKT_OK
                         ? sqlite3_open_v2(ckt_text_string(&name), &store->db, flags, NULL)
                         : SQLITE_NOMEM;
  ckt_text_free(&name);
  return status;
}

static int connect_to(struct ckt_store *store, bool read_only) {
  if (read_only && is_frozen(store->path))
    return connect_frozen(store);
  return connect_file(store, read_only ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
}

/* SQLite takes a file of a few bytes for an empty database and would write over it. The smallest database
 * has one page of 512 bytes. */
static int check_size(const char *path, struct ckt_error *error) {
  struct stat info;
  if (stat(path, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size == 0 || info.st_size >= 512)
    return CKT_OK;
  return ckt_fail(error, CKT_E_STORE,
                  "the file %s of %lld bytes is not a database and was left as it is; name another file with "
                  "--db",
                  path, (long long)info.st_size);
}

static int open_database(struct ckt_store *store, bool read_only, struct ckt_error *error) {
  if (read_only && !ckt_file_exists(store->path))
    return ckt_fail(error, CKT_E_STORE,
                    "there is no store %s yet; `cktune --problem ...` makes one, --db names another",
                    store->path);
  CKT_TRY(check_size(store->path, error));
  const int status = connect_to(store, read_only);
  if (status != SQLITE_OK)
    return store->db == NULL ? ckt_fail(error, CKT_E_NOMEM, "memory ran out")
                             : ckt_sql_fail(store, status, error);
  sqlite3_extended_result_codes(store->db, 1);
  sqlite3_busy_timeout(store->db, BUSY_TIMEOUT_MS);
  /* SQLite opens a file without permission to write for reading, and would fail at the first result. */
  if (!read_only && sqlite3_db_readonly(store->db, "main") == 1)
    return ckt_fail(error, CKT_E_STORE,
                    "the store %s cannot be written: permission denied; change its mode or name another file "
                    "with --db",
                    store->path);
  return ckt_store_schema_prepare(store, read_only, error);
}

int ckt_store_open(const char *path, bool read_only, struct ckt_store **store, struct ckt_error *error) {
  *store = NULL;
  if (path[0] == '\0') /* to SQLite, a file that vanishes when it is closed */
    return ckt_fail(error, CKT_E_USAGE, "the store's file name is empty; give one with --db");
  if (!read_only)
    CKT_TRY(make_folder_of(path, error));
  struct ckt_store *made = calloc(1, sizeof *made);
  if (made == NULL || (made->path = strdup(path)) == NULL) {
    free(made);
    return ckt_fail(error, CKT_E_NOMEM, "memory ran out");
  }
  const int status = open_database(made, read_only, error);
  if (status != CKT_OK)
    ckt_store_close(&made);
  *store = made;
  return status;
}

void ckt_store_close(struct ckt_store **store) {
  if (*store == NULL)
    return;
  for (int i = 0; i < CKT_SQL_COUNT; i++)
    sqlite3_finalize((*store)->statements[i]);
  sqlite3_close((*store)->db);
  free((*store)->path);
  free(*store);
  *store = NULL;
}

/* --- rows that are shared: added when new, found by what makes them unique --- */

static int find_added(struct ckt_sql *find, int64_t *id, struct ckt_error *error) {
  bool found;
  CKT_TRY(ckt_sql_one_i64(find, id, &found, error));
  return found ? CKT_OK : ckt_fail(error, CKT_E_INTERNAL, "a row of the store vanished inside a transaction");
}

static void bind_toolchain(struct ckt_sql *sql, const struct ckt_run_setup *setup) {
  ckt_sql_text(sql, setup->hip_version);
  ckt_sql_text(sql, setup->rtc_version);
  ckt_sql_text(sql, setup->kernels_digest);
}

static int toolchain_id(struct ckt_store *store, const struct ckt_run_setup *setup, int64_t *id,
                        struct ckt_error *error) {
  struct ckt_sql add = ckt_sql_start(store, CKT_SQL_ADD_TOOLCHAIN);
  bind_toolchain(&add, setup);
  CKT_TRY(ckt_sql_run(&add, error));
  struct ckt_sql find = ckt_sql_start(store, CKT_SQL_FIND_TOOLCHAIN);
  bind_toolchain(&find, setup);
  return find_added(&find, id, error);
}

static void bind_device(struct ckt_sql *sql, const struct ckt_run_setup *setup) {
  ckt_sql_text(sql, setup->device_name);
  ckt_sql_text(sql, setup->device_target);
  ckt_sql_text(sql, setup->device_arch);
  ckt_sql_i64(sql, setup->simulated);
  ckt_sql_i64(sql, setup->compute_units);
  ckt_sql_i64(sql, setup->memory_bytes);
  ckt_sql_i64(sql, setup->clock_khz);
}

static int device_id(struct ckt_store *store, const struct ckt_run_setup *setup, int64_t *id,
                     struct ckt_error *error) {
  struct ckt_sql add = ckt_sql_start(store, CKT_SQL_ADD_DEVICE);
  bind_device(&add, setup);
  CKT_TRY(ckt_sql_run(&add, error));
  struct ckt_sql find = ckt_sql_start(store, CKT_SQL_FIND_DEVICE);
  bind_device(&find, setup);
  return find_added(&find, id, error);
}

static int problem_id(struct ckt_store *store, const struct ckt_problem *problem, int64_t *id,
                      struct ckt_error *error) {
  char key[CKT_PROBLEM_KEY_MAX];
  ckt_problem_key(problem, key);
  struct ckt_sql add = ckt_sql_start(store, CKT_SQL_ADD_PROBLEM);
  ckt_sql_text(&add, key);
  ckt_sql_text(&add, ckt_direction_word(problem->direction));
  ckt_sql_text(&add, ckt_dtype_word(problem->dtype));
  ckt_sql_i64(&add, problem->spatial);
#define ROW(column, member) ckt_sql_i64(&add, problem->member);
  CKT_PROBLEM_NUMBERS(ROW)
#undef ROW
  CKT_TRY(ckt_sql_run(&add, error));
  struct ckt_sql find = ckt_sql_start(store, CKT_SQL_FIND_PROBLEM);
  ckt_sql_text(&find, key);
  return find_added(&find, id, error);
}

static int instance_id(struct ckt_store *store, const struct ckt_instance *instance, int64_t *id,
                       struct ckt_error *error) {
  char key[CKT_INSTANCE_KEY_MAX];
  ckt_instance_key(instance, key);
  struct ckt_sql add = ckt_sql_start(store, CKT_SQL_ADD_INSTANCE);
  ckt_sql_text(&add, key);
  CKT_TRY(ckt_sql_run(&add, error));
  struct ckt_sql find = ckt_sql_start(store, CKT_SQL_FIND_INSTANCE);
  ckt_sql_text(&find, key);
  return find_added(&find, id, error);
}

static void bind_listing(struct ckt_sql *sql, int64_t instance, const char *list,
                         const struct ckt_instance_entry *entry) {
  ckt_sql_i64(sql, instance);
  ckt_sql_text(sql, list);
  ckt_sql_i64(sql, entry->id);
  ckt_sql_text(sql, entry->name);
  ckt_sql_text(sql, entry->line);
}

static int listing_id(struct ckt_store *store, int64_t instance, const char *list,
                      const struct ckt_instance_entry *entry, int64_t *id, struct ckt_error *error) {
  struct ckt_sql add = ckt_sql_start(store, CKT_SQL_ADD_LISTING);
  bind_listing(&add, instance, list, entry);
  CKT_TRY(ckt_sql_run(&add, error));
  struct ckt_sql find = ckt_sql_start(store, CKT_SQL_FIND_LISTING);
  bind_listing(&find, instance, list, entry);
  return find_added(&find, id, error);
}

/* --- runs --- */

/* The newest unfinished run of that identity which no other living process works on; *run 0 without one. */
static int find_unfinished(struct ckt_store *store, const char *identity, int64_t *run,
                           struct ckt_error *error) {
  *run = 0;
  struct ckt_sql sql = ckt_sql_start(store, CKT_SQL_UNFINISHED_RUNS);
  ckt_sql_text(&sql, identity);
  bool row = true;
  while (*run == 0 && ckt_sql_next(&sql, &row, error) == CKT_OK && row) {
    const int64_t id = ckt_sql_read_i64(&sql);
    if (!ckt_owner_is_other_and_alive(ckt_sql_peek_text(&sql)))
      *run = id;
  }
  return ckt_sql_end(&sql, error);
}

static int continue_run(struct ckt_store *store, int64_t run, struct ckt_error *error) {
  char owner[CKT_OWNER_MAX];
  ckt_owner_self(owner);
  struct ckt_sql sql = ckt_sql_start(store, CKT_SQL_OWN_RUN);
  ckt_sql_text(&sql, owner);
  ckt_sql_i64(&sql, run);
  return ckt_sql_run(&sql, error);
}

static int start_run(struct ckt_store *store, const struct ckt_run_setup *setup, const char *command,
                     int64_t *run, struct ckt_error *error) {
  int64_t toolchain;
  int64_t device;
  CKT_TRY(toolchain_id(store, setup, &toolchain, error));
  CKT_TRY(device_id(store, setup, &device, error));
  char owner[CKT_OWNER_MAX];
  char now[CKT_TIME_MAX];
  ckt_owner_self(owner);
  ckt_time_now(now);
  struct ckt_sql sql = ckt_sql_start(store, CKT_SQL_ADD_RUN);
  ckt_sql_text(&sql, setup->identity);
  ckt_sql_text(&sql, command);
  ckt_sql_text(&sql, setup->version);
  ckt_sql_i64(&sql, toolchain);
  ckt_sql_i64(&sql, device);
  ckt_sql_text(&sql, setup->cache_state);
  ckt_sql_text(&sql, setup->init);
  ckt_sql_text(&sql, now);
  ckt_sql_text(&sql, owner);
  CKT_TRY(ckt_sql_run(&sql, error));
  *run = sqlite3_last_insert_rowid(store->db);
  return CKT_OK;
}

static int begin_run_locked(struct ckt_store *store, const struct ckt_run_setup *setup, const char *command,
                            bool fresh, int64_t *run, bool *resumed, struct ckt_error *error) {
  *run = 0;
  if (!fresh)
    CKT_TRY(find_unfinished(store, setup->identity, run, error));
  *resumed = *run != 0;
  return *resumed ? continue_run(store, *run, error) : start_run(store, setup, command, run, error);
}

int ckt_store_begin_run(struct ckt_store *store, const struct ckt_run_setup *setup, bool fresh, int64_t *run,
                        bool *resumed, struct ckt_error *error) {
  char *command = ckt_upload_hide_secrets(setup->command, error);
  if (command == NULL)
    return CKT_E_NOMEM;
  int status = ckt_sql_begin(store, error);
  if (status == CKT_OK) {
    status = begin_run_locked(store, setup, command, fresh, run, resumed, error);
    status = ckt_sql_finish(store, status, error);
  }
  free(command);
  return status;
}

static int check_run_changed(struct ckt_store *store, int64_t run, struct ckt_error *error) {
  if (sqlite3_changes(store->db) == 1)
    return CKT_OK;
  return ckt_fail(error, CKT_E_INPUT, "there is no run %lld in the store %s", (long long)run, store->path);
}

int ckt_store_finish_run(struct ckt_store *store, int64_t run, struct ckt_error *error) {
  char now[CKT_TIME_MAX];
  ckt_time_now(now);
  struct ckt_sql sql = ckt_sql_start(store, CKT_SQL_FINISH_RUN);
  ckt_sql_text(&sql, now);
  ckt_sql_i64(&sql, run);
  CKT_TRY(ckt_sql_run(&sql, error));
  return check_run_changed(store, run, error);
}

/* --- measurements --- */

/* Only the verification error may be infinite or not a number. */
static int check_finite(const struct ckt_measurement *measurement, struct ckt_error *error) {
#define ROW(member)                                                                                          \
  if (!isfinite(measurement->member))                                                                        \
    return ckt_fail(error, CKT_E_INTERNAL, "a measurement with " #member " = %g was to be recorded",         \
                    measurement->member);
  CKT_MEASUREMENT_REALS(ROW)
#undef ROW
  return CKT_OK;
}

static int record_locked(struct ckt_store *store, int64_t run, const struct ckt_problem *problem,
                         const struct ckt_instance_entry *entry, const char *list,
                         const struct ckt_measurement *measurement, struct ckt_error *error) {
  int64_t problem_row;
  int64_t instance_row;
  int64_t listing_row;
  CKT_TRY(problem_id(store, problem, &problem_row, error));
  CKT_TRY(instance_id(store, &entry->instance, &instance_row, error));
  CKT_TRY(listing_id(store, instance_row, list, entry, &listing_row, error));
  char now[CKT_TIME_MAX];
  ckt_time_now(now);
  struct ckt_sql sql = ckt_sql_start(store, CKT_SQL_ADD_MEASUREMENT);
  ckt_sql_i64(&sql, run);
  ckt_sql_i64(&sql, problem_row);
  ckt_sql_i64(&sql, instance_row);
  ckt_sql_i64(&sql, listing_row);
  ckt_sql_text(&sql, now);
  ckt_sql_text(&sql, ckt_status_word(measurement->status));
  ckt_sql_text(&sql, measurement->reason);
  ckt_sql_i64(&sql, measurement->simulated);
  ckt_sql_text(&sql, ckt_method_word(measurement->method));
  ckt_sql_f64(&sql, measurement->error_ratio);
#define ROW(member) ckt_sql_f64(&sql, measurement->member);
  CKT_MEASUREMENT_REALS(ROW)
#undef ROW
#define ROW(member) ckt_sql_i64(&sql, measurement->member);
  CKT_MEASUREMENT_INTEGERS(ROW)
#undef ROW
  return ckt_sql_run(&sql, error);
}

int ckt_store_record(struct ckt_store *store, int64_t run, const struct ckt_problem *problem,
                     const struct ckt_instance_entry *entry, const char *list,
                     const struct ckt_measurement *measurement, struct ckt_error *error) {
  CKT_TRY(check_finite(measurement, error));
  CKT_TRY(ckt_sql_begin(store, error));
  const int status = record_locked(store, run, problem, entry, list, measurement, error);
  return ckt_sql_finish(store, status, error);
}
