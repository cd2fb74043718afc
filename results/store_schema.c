/* The schema and its migrations. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "results/store_sql.h"

#define APPLICATION_ID 0x636b746e /* "cktn" */

#define REAL_COLUMN(column)            "  " #column " REAL NOT NULL,\n"
#define INTEGER_COLUMN(column)         "  " #column " INTEGER NOT NULL,\n"
#define PROBLEM_COLUMN(column, member) "  " #column " INTEGER NOT NULL,\n"
#define PROBLEM_COLUMNS                CKT_PROBLEM_NUMBERS(PROBLEM_COLUMN)
#define NUMBER_COLUMNS                 CKT_MEASUREMENT_REALS(REAL_COLUMN) CKT_MEASUREMENT_INTEGERS(INTEGER_COLUMN)

/* Step i brings a store from version i to i + 1. A step that was released is never changed: columns of a
 * later version are added by a later step, and the macros here must then be spelled out as they were. */
static const char *const steps[CKT_STORE_SCHEMA_VERSION] = {
    "CREATE TABLE toolchains (\n"
    "  id INTEGER PRIMARY KEY,\n"
    "  hip TEXT NOT NULL,\n"
    "  rtc TEXT NOT NULL,\n"
    "  kernels_digest TEXT NOT NULL,\n"
    "  UNIQUE (hip, rtc, kernels_digest)) STRICT;\n"
    "CREATE TABLE devices (\n"
    "  id INTEGER PRIMARY KEY,\n"
    "  name TEXT NOT NULL,\n"
    "  target TEXT NOT NULL,\n"
    "  arch TEXT NOT NULL,\n"
    "  simulated INTEGER NOT NULL,\n"
    "  compute_units INTEGER NOT NULL,\n"
    "  memory_bytes INTEGER NOT NULL,\n"
    "  clock_khz INTEGER NOT NULL,\n"
    "  UNIQUE (name, target, arch, simulated, compute_units, memory_bytes, clock_khz)) STRICT;\n"
    "CREATE TABLE problems (\n"
    "  id INTEGER PRIMARY KEY,\n"
    "  key TEXT NOT NULL UNIQUE,\n"
    "  direction TEXT NOT NULL,\n"
    "  dtype TEXT NOT NULL,\n" PROBLEM_COLUMNS "  spatial INTEGER NOT NULL) STRICT;\n"
    "CREATE TABLE instances (\n"
    "  id INTEGER PRIMARY KEY,\n"
    "  key TEXT NOT NULL UNIQUE) STRICT;\n"
    /* Where an instance was listed: for display, and may differ from run to run. */
    "CREATE TABLE listings (\n"
    "  id INTEGER PRIMARY KEY,\n"
    "  instance_id INTEGER NOT NULL REFERENCES instances (id),\n"
    "  list TEXT NOT NULL,\n"
    "  number INTEGER NOT NULL,\n"
    "  name TEXT NOT NULL,\n"
    "  line TEXT NOT NULL,\n"
    "  UNIQUE (instance_id, list, number, name, line)) STRICT;\n"
    "CREATE TABLE runs (\n"
    "  id INTEGER PRIMARY KEY AUTOINCREMENT,\n"
    "  identity TEXT NOT NULL,\n"
    "  command TEXT NOT NULL,\n"
    "  version TEXT NOT NULL,\n"
    "  toolchain_id INTEGER NOT NULL REFERENCES toolchains (id),\n"
    "  device_id INTEGER NOT NULL REFERENCES devices (id),\n"
    "  cache_state TEXT NOT NULL,\n"
    "  init TEXT NOT NULL,\n"
    "  started TEXT NOT NULL,\n"
    "  finished TEXT,\n"
    "  owner TEXT NOT NULL) STRICT;\n"
    "CREATE INDEX runs_unfinished ON runs (identity) WHERE finished IS NULL;\n"
    "CREATE TABLE measurements (\n"
    "  id INTEGER PRIMARY KEY,\n"
    "  run_id INTEGER NOT NULL REFERENCES runs (id),\n"
    "  problem_id INTEGER NOT NULL REFERENCES problems (id),\n"
    "  instance_id INTEGER NOT NULL REFERENCES instances (id),\n"
    "  listing_id INTEGER NOT NULL REFERENCES listings (id),\n"
    "  recorded TEXT NOT NULL,\n"
    "  status TEXT NOT NULL,\n"
    "  reason TEXT NOT NULL,\n"
    "  simulated INTEGER NOT NULL,\n"
    "  method TEXT NOT NULL,\n"
    "  error_ratio REAL,\n" /* NULL: not a number */
    NUMBER_COLUMNS "  UNIQUE (run_id, problem_id, instance_id)) STRICT;\n"
    "CREATE INDEX measurements_ranked ON measurements "
    "(problem_id, time_ms) WHERE status = 'measured';\n"
    "CREATE TABLE uploads (\n"
    "  run_id INTEGER NOT NULL REFERENCES runs (id),\n"
    "  url TEXT NOT NULL,\n"
    "  reason TEXT NOT NULL,\n"
    "  queued TEXT NOT NULL,\n"
    "  tries INTEGER NOT NULL DEFAULT 1,\n"
    "  sent TEXT,\n" /* NULL while it waits */
    "  PRIMARY KEY (run_id, url)) STRICT;\n",
};

static int execute(struct ckt_store *store, const char *text, struct ckt_error *error) {
  const int status = sqlite3_exec(store->db, text, NULL, NULL, NULL);
  return status == SQLITE_OK ? CKT_OK : ckt_sql_fail(store, status, error);
}

/* One number from a statement that is needed once. */
static int ask(struct ckt_store *store, const char *text, int64_t *value, struct ckt_error *error) {
  sqlite3_stmt *statement = NULL;
  int status = sqlite3_prepare_v2(store->db, text, -1, &statement, NULL);
  if (status == SQLITE_OK)
    status = sqlite3_step(statement);
  if (status == SQLITE_ROW)
    *value = sqlite3_column_int64(statement, 0);
  const int result = status == SQLITE_ROW ? CKT_OK : ckt_sql_fail(store, status, error);
  sqlite3_finalize(statement);
  return result;
}

/* Version of the file, 0 when it is empty. Refuses what is not ours before anything is written. */
static int read_version(struct ckt_store *store, int64_t *version, struct ckt_error *error) {
  int64_t application = 0;
  int64_t tables = 0;
  CKT_TRY(ask(store, "PRAGMA application_id", &application, error));
  CKT_TRY(ask(store, "PRAGMA user_version", version, error));
  CKT_TRY(ask(store, "SELECT count(*) FROM sqlite_schema", &tables, error));
  const bool empty = application == 0 && *version == 0 && tables == 0;
  if (!empty && application != APPLICATION_ID)
    return ckt_fail(error, CKT_E_STORE,
                    "%s is an SQLite database of another program (application id %lld, expected %d) and was "
                    "left as it is; name another file with --db",
                    store->path, (long long)application, APPLICATION_ID);
  if (*version < 0 || *version > CKT_STORE_SCHEMA_VERSION)
    return ckt_fail(error, CKT_E_STORE,
                    "the store %s has schema version %lld and this cktune knows versions up to %d; use the "
                    "newer cktune that wrote it or name another file with --db",
                    store->path, (long long)*version, CKT_STORE_SCHEMA_VERSION);
  return CKT_OK;
}

/* In one transaction: another process that makes the store at this moment must not be seen half-way. */
static int read_version_at_once(struct ckt_store *store, int64_t *version, struct ckt_error *error) {
  CKT_TRY(execute(store, "BEGIN", error));
  const int status = read_version(store, version, error);
  sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL); /* nothing was written */
  return status;
}

/* The version is read again under the writer's lock: another process may have been faster. */
static int migrate_locked(struct ckt_store *store, struct ckt_error *error) {
  int64_t version = 0;
  CKT_TRY(read_version(store, &version, error));
  for (int64_t step = version; step < CKT_STORE_SCHEMA_VERSION; step++)
    CKT_TRY(execute(store, steps[step], error));
  char *stamp = sqlite3_mprintf("PRAGMA application_id = %d; PRAGMA user_version = %d;", APPLICATION_ID,
                                CKT_STORE_SCHEMA_VERSION);
  if (stamp == NULL)
    return ckt_sql_fail(store, SQLITE_NOMEM, error);
  const int status = execute(store, stamp, error);
  sqlite3_free(stamp);
  return status;
}

/* SQLite does not wait by itself when two processes change the journal's mode of a new file. */
static int use_wal(struct ckt_store *store, struct ckt_error *error) {
  const struct timespec pause = {.tv_nsec = 20L * 1000 * 1000};
  int status = SQLITE_OK;
  for (int attempt = 0; attempt < 250; attempt++) {
    status = sqlite3_exec(store->db, "PRAGMA journal_mode = WAL", NULL, NULL, NULL);
    if ((status & 0xff) != SQLITE_BUSY)
      break;
    nanosleep(&pause, NULL);
  }
  return status == SQLITE_OK ? CKT_OK : ckt_sql_fail(store, status, error);
}

int ckt_store_schema_prepare(struct ckt_store *store, bool read_only, struct ckt_error *error) {
  int64_t version = 0;
  CKT_TRY(read_version_at_once(store, &version, error));
  if (read_only && version < CKT_STORE_SCHEMA_VERSION)
    return ckt_fail(error, CKT_E_STORE,
                    "the store %s has schema version %lld and version %d is needed to read it; run a command "
                    "that writes to it once, which brings it up to date",
                    store->path, (long long)version, CKT_STORE_SCHEMA_VERSION);
  CKT_TRY(execute(store, "PRAGMA foreign_keys = ON", error));
  if (read_only)
    return CKT_OK;
  CKT_TRY(use_wal(store, error));
  /* With WAL, FULL keeps every commit over a loss of power; it costs an fsync of a few milliseconds,
   * far less than the measurement that is committed. */
  CKT_TRY(execute(store, "PRAGMA synchronous = FULL", error));
  if (version == CKT_STORE_SCHEMA_VERSION)
    return CKT_OK;
  CKT_TRY(ckt_sql_begin(store, error));
  return ckt_sql_finish(store, migrate_locked(store, error), error);
}
