#include "results/store_sql.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *const statement_texts[] = {
#define ROW(name, text) text,
    CKT_SQL_STATEMENTS(ROW)
#undef ROW
};

void ckt_time_now(char text[CKT_TIME_MAX]) {
  const time_t now = time(NULL);
  struct tm parts = {0};
  gmtime_r(&now, &parts);
  strftime(text, CKT_TIME_MAX, "%Y-%m-%dT%H:%M:%SZ", &parts);
}

/* What a person can do about a failure, by SQLite's primary code. */
static const char *remedy(int code) {
  switch (code & 0xff) {
  case SQLITE_FULL:
    return "free some space or name another file with --db";
  case SQLITE_BUSY:
  case SQLITE_LOCKED:
    return "another process holds it; wait for that one or name another file with --db";
  case SQLITE_NOTADB:
    return "it is not a store of cktune and was left as it is; name another file with --db";
  case SQLITE_CORRUPT:
    return "keep a copy, recover what is readable with sqlite3's .recover, or name another file with --db";
  case SQLITE_ERROR: /* our own statement: it does not fit the tables */
    return "its tables are not those that this cktune makes; name another file with --db";
  case SQLITE_IOERR:
    return "check the disk's space and health, or name another file with --db";
  default:
    return "check its folder and permissions, or name another file with --db";
  }
}

int ckt_sql_fail(const struct ckt_store *store, int code, struct ckt_error *error) {
  if ((code & 0xff) == SQLITE_NOMEM)
    return ckt_fail(error, CKT_E_NOMEM, "memory ran out while the store %s was used", store->path);
  if ((code & 0xff) == SQLITE_CONSTRAINT)
    return ckt_fail(error, CKT_E_INTERNAL, "the store %s refused a row: %s", store->path,
                    sqlite3_errmsg(store->db));
  const char *cause = sqlite3_errcode(store->db) == code || sqlite3_extended_errcode(store->db) == code
                          ? sqlite3_errmsg(store->db)
                          : sqlite3_errstr(code);
  const int system = sqlite3_system_errno(store->db);
  const bool from_system = (code & 0xff) == SQLITE_CANTOPEN || (code & 0xff) == SQLITE_IOERR;
  if (from_system && system != 0)
    return ckt_fail(error, CKT_E_STORE, "the store %s cannot be used: %s (%s); %s", store->path, cause,
                    strerror(system), remedy(code));
  return ckt_fail(error, CKT_E_STORE, "the store %s cannot be used: %s; %s", store->path, cause,
                  remedy(code));
}

struct ckt_sql ckt_sql_start(struct ckt_store *store, enum ckt_sql_id id) {
  struct ckt_sql sql = {.store = store, .next = 1, .status = SQLITE_OK};
  if (store->statements[id] == NULL)
    sql.status = sqlite3_prepare_v3(store->db, statement_texts[id], -1, SQLITE_PREPARE_PERSISTENT,
                                    &store->statements[id], NULL);
  sql.statement = store->statements[id];
  return sql;
}

static void remember(struct ckt_sql *sql, int status) {
  if (sql->status == SQLITE_OK)
    sql->status = status;
}

void ckt_sql_text(struct ckt_sql *sql, const char *value) {
  if (sql->status == SQLITE_OK)
    remember(sql, sqlite3_bind_text(sql->statement, sql->next, value, -1, SQLITE_STATIC));
  sql->next++;
}

void ckt_sql_i64(struct ckt_sql *sql, int64_t value) {
  if (sql->status == SQLITE_OK)
    remember(sql, sqlite3_bind_int64(sql->statement, sql->next, value));
  sql->next++;
}

void ckt_sql_f64(struct ckt_sql *sql, double value) {
  if (sql->status == SQLITE_OK)
    remember(sql, sqlite3_bind_double(sql->statement, sql->next, value));
  sql->next++;
}

int ckt_sql_next(struct ckt_sql *sql, bool *row, struct ckt_error *error) {
  *row = false;
  if (sql->status == SQLITE_OK) {
    const int status = sqlite3_step(sql->statement);
    *row = status == SQLITE_ROW;
    if (status != SQLITE_ROW && status != SQLITE_DONE)
      sql->status = status;
  }
  sql->next = 0;
  return sql->status == SQLITE_OK ? CKT_OK : ckt_sql_fail(sql->store, sql->status, error);
}

int64_t ckt_sql_read_i64(struct ckt_sql *sql) {
  return sqlite3_column_int64(sql->statement, sql->next++);
}

double ckt_sql_read_f64(struct ckt_sql *sql) {
  const int column = sql->next++;
  if (sqlite3_column_type(sql->statement, column) == SQLITE_NULL)
    return NAN;
  return sqlite3_column_double(sql->statement, column);
}

const char *ckt_sql_peek_text(struct ckt_sql *sql) {
  const char *text = (const char *)sqlite3_column_text(sql->statement, sql->next++);
  return text != NULL ? text : "";
}

char *ckt_sql_read_text(struct ckt_sql *sql) {
  const int column = sql->next;
  if (sqlite3_column_type(sql->statement, column) == SQLITE_NULL) {
    sql->next++;
    return NULL;
  }
  char *copy = strdup(ckt_sql_peek_text(sql));
  if (copy == NULL)
    remember(sql, SQLITE_NOMEM);
  return copy;
}

int ckt_sql_end(struct ckt_sql *sql, struct ckt_error *error) {
  const int status = sql->status == SQLITE_OK ? CKT_OK : ckt_sql_fail(sql->store, sql->status, error);
  if (sql->statement != NULL) {
    sqlite3_reset(sql->statement); /* repeats the failure that the step told */
    sqlite3_clear_bindings(sql->statement);
  }
  return status;
}

int ckt_sql_run(struct ckt_sql *sql, struct ckt_error *error) {
  bool row;
  ckt_sql_next(sql, &row, error);
  return ckt_sql_end(sql, error);
}

int ckt_sql_one_i64(struct ckt_sql *sql, int64_t *value, bool *found, struct ckt_error *error) {
  *found = false;
  if (ckt_sql_next(sql, found, error) == CKT_OK && *found)
    *value = ckt_sql_read_i64(sql);
  return ckt_sql_end(sql, error);
}

int ckt_sql_begin(struct ckt_store *store, struct ckt_error *error) {
  struct ckt_sql sql = ckt_sql_start(store, CKT_SQL_BEGIN);
  return ckt_sql_run(&sql, error);
}

/* After some failures (a full disk) SQLite has rolled back by itself. */
static void roll_back(struct ckt_store *store) {
  if (sqlite3_get_autocommit(store->db))
    return;
  struct ckt_sql sql = ckt_sql_start(store, CKT_SQL_ROLLBACK);
  ckt_sql_run(&sql, NULL);
}

int ckt_sql_finish(struct ckt_store *store, int status, struct ckt_error *error) {
  if (status == CKT_OK) {
    struct ckt_sql sql = ckt_sql_start(store, CKT_SQL_COMMIT);
    status = ckt_sql_run(&sql, error);
  }
  if (status != CKT_OK)
    roll_back(store);
  return status;
}
