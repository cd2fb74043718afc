/* The store's inside: its statements, and a thin layer over SQLite that turns its codes into ours. For the
 * files of results/ alone. */
#ifndef CKT_RESULTS_STORE_SQL_H
#define CKT_RESULTS_STORE_SQL_H

#include <sqlite3.h>

#include "results/measurement_fields.h"
#include "results/store.h"

/* Rows: column, member of ckt_problem. */
#define CKT_PROBLEM_NUMBERS(ROW)                                                                             \
  ROW(g, g)                                                                                                  \
  ROW(n, n)                                                                                                  \
  ROW(k, k)                                                                                                  \
  ROW(c, c)                                                                                                  \
  ROW(in_d, in[CKT_DEPTH])                                                                                   \
  ROW(in_h, in[CKT_HEIGHT])                                                                                  \
  ROW(in_w, in[CKT_WIDTH])                                                                                   \
  ROW(filter_d, filter[CKT_DEPTH])                                                                           \
  ROW(filter_h, filter[CKT_HEIGHT])                                                                          \
  ROW(filter_w, filter[CKT_WIDTH])                                                                           \
  ROW(stride_d, stride[CKT_DEPTH])                                                                           \
  ROW(stride_h, stride[CKT_HEIGHT])                                                                          \
  ROW(stride_w, stride[CKT_WIDTH])                                                                           \
  ROW(dilation_d, dilation[CKT_DEPTH])                                                                       \
  ROW(dilation_h, dilation[CKT_HEIGHT])                                                                      \
  ROW(dilation_w, dilation[CKT_WIDTH])                                                                       \
  ROW(pad_left_d, pad_left[CKT_DEPTH])                                                                       \
  ROW(pad_left_h, pad_left[CKT_HEIGHT])                                                                      \
  ROW(pad_left_w, pad_left[CKT_WIDTH])                                                                       \
  ROW(pad_right_d, pad_right[CKT_DEPTH])                                                                     \
  ROW(pad_right_h, pad_right[CKT_HEIGHT])                                                                    \
  ROW(pad_right_w, pad_right[CKT_WIDTH])

#define CKT_SQL_NAME(column)                   ", " #column
#define CKT_SQL_MARK(column)                   ", ?"
#define CKT_SQL_FROM_M(column)                 ", m." #column
#define CKT_SQL_REPLACE(column)                ", " #column " = excluded." #column
#define CKT_SQL_PROBLEM_NAME(column, member)   ", " #column
#define CKT_SQL_PROBLEM_MARK(column, member)   ", ?"
#define CKT_SQL_PROBLEM_FROM_P(column, member) ", p." #column
#define CKT_SQL_WORD(name, word)               word " "

/* The lists as the statements need them. */
#define CKT_SQL_PROBLEM_NAMES CKT_PROBLEM_NUMBERS(CKT_SQL_PROBLEM_NAME)
#define CKT_SQL_PROBLEM_MARKS CKT_PROBLEM_NUMBERS(CKT_SQL_PROBLEM_MARK)
#define CKT_SQL_PROBLEM_FROM  CKT_PROBLEM_NUMBERS(CKT_SQL_PROBLEM_FROM_P)
#define CKT_SQL_NUMBER_NAMES  CKT_MEASUREMENT_REALS(CKT_SQL_NAME) CKT_MEASUREMENT_INTEGERS(CKT_SQL_NAME)
#define CKT_SQL_NUMBER_MARKS  CKT_MEASUREMENT_REALS(CKT_SQL_MARK) CKT_MEASUREMENT_INTEGERS(CKT_SQL_MARK)
#define CKT_SQL_NUMBER_FROM   CKT_MEASUREMENT_REALS(CKT_SQL_FROM_M) CKT_MEASUREMENT_INTEGERS(CKT_SQL_FROM_M)
#define CKT_SQL_NUMBER_REPLACE                                                                               \
  CKT_MEASUREMENT_REALS(CKT_SQL_REPLACE) CKT_MEASUREMENT_INTEGERS(CKT_SQL_REPLACE)
/* "none model ext ": a method's place in this text is its place in the order of preference. */
#define CKT_SQL_METHOD_ORDER CKT_METHODS(CKT_SQL_WORD)

/* What a ckt_record is read from, in the order in which read_record (store_query.c) takes it. */
#define CKT_SQL_RECORD_COLUMNS                                                                               \
  "p.key, p.direction, p.dtype, p.spatial" CKT_SQL_PROBLEM_FROM                                              \
  ", i.key, l.name, l.line, l.number, m.run_id, m.status, m.reason, m.simulated, m.method, "                 \
  "m.error_ratio" CKT_SQL_NUMBER_FROM ", d.name, d.target, d.arch, t.hip, t.rtc, r.cache_state, r.started "
#define CKT_SQL_RECORD_TABLES                                                                                \
  "FROM measurements m JOIN problems p ON p.id = m.problem_id JOIN instances i ON i.id = m.instance_id "     \
  "JOIN listings l ON l.id = m.listing_id JOIN runs r ON r.id = m.run_id "                                   \
  "JOIN devices d ON d.id = r.device_id JOIN toolchains t ON t.id = r.toolchain_id "

/* Rows: name, text. Prepared at first use, kept until the store is closed. */
#define CKT_SQL_STATEMENTS(ROW)                                                                              \
  ROW(CKT_SQL_BEGIN, "BEGIN IMMEDIATE")                                                                      \
  ROW(CKT_SQL_COMMIT, "COMMIT")                                                                              \
  ROW(CKT_SQL_ROLLBACK, "ROLLBACK")                                                                          \
  ROW(CKT_SQL_ADD_TOOLCHAIN, "INSERT INTO toolchains (hip, rtc, kernels_digest) VALUES (?, ?, ?) "           \
                             "ON CONFLICT DO NOTHING")                                                       \
  ROW(CKT_SQL_FIND_TOOLCHAIN, "SELECT id FROM toolchains WHERE hip = ? AND rtc = ? AND kernels_digest = ?")  \
  ROW(CKT_SQL_ADD_DEVICE, "INSERT INTO devices (name, target, arch, simulated, compute_units, "              \
                          "memory_bytes, clock_khz) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING")    \
  ROW(CKT_SQL_FIND_DEVICE,                                                                                   \
      "SELECT id FROM devices WHERE name = ? AND target = ? AND arch = ? AND simulated = ? "                 \
      "AND compute_units = ? AND memory_bytes = ? AND clock_khz = ?")                                        \
  ROW(CKT_SQL_ADD_PROBLEM, "INSERT INTO problems (key, direction, dtype, spatial" CKT_SQL_PROBLEM_NAMES      \
                           ") VALUES (?, ?, ?, ?" CKT_SQL_PROBLEM_MARKS ") ON CONFLICT DO NOTHING")          \
  ROW(CKT_SQL_FIND_PROBLEM, "SELECT id FROM problems WHERE key = ?")                                         \
  ROW(CKT_SQL_ADD_INSTANCE, "INSERT INTO instances (key) VALUES (?) ON CONFLICT DO NOTHING")                 \
  ROW(CKT_SQL_FIND_INSTANCE, "SELECT id FROM instances WHERE key = ?")                                       \
  ROW(CKT_SQL_ADD_LISTING, "INSERT INTO listings (instance_id, list, number, name, line) "                   \
                           "VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING")                                  \
  ROW(CKT_SQL_FIND_LISTING, "SELECT id FROM listings WHERE instance_id = ? AND list = ? AND number = ? "     \
                            "AND name = ? AND line = ?")                                                     \
  ROW(CKT_SQL_UNFINISHED_RUNS, "SELECT id, owner FROM runs WHERE identity = ? AND finished IS NULL "         \
                               "ORDER BY id DESC")                                                           \
  ROW(CKT_SQL_ADD_RUN,                                                                                       \
      "INSERT INTO runs (identity, command, version, toolchain_id, device_id, cache_state, init, "           \
      "started, owner) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")                                                  \
  ROW(CKT_SQL_OWN_RUN, "UPDATE runs SET owner = ? WHERE id = ?")                                             \
  ROW(CKT_SQL_FINISH_RUN, "UPDATE runs SET finished = ?, owner = '' WHERE id = ?")                           \
  ROW(CKT_SQL_ADD_MEASUREMENT,                                                                               \
      "INSERT INTO measurements (run_id, problem_id, instance_id, listing_id, recorded, status, reason, "    \
      "simulated, method, error_ratio" CKT_SQL_NUMBER_NAMES                                                  \
      ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?" CKT_SQL_NUMBER_MARKS                                          \
      ") ON CONFLICT (run_id, problem_id, instance_id) DO UPDATE SET listing_id = excluded.listing_id, "     \
      "recorded = excluded.recorded, status = excluded.status, reason = excluded.reason, "                   \
      "simulated = excluded.simulated, method = excluded.method, "                                           \
      "error_ratio = excluded.error_ratio" CKT_SQL_NUMBER_REPLACE)                                           \
  ROW(CKT_SQL_RUN_RECORDS, "SELECT " CKT_SQL_RECORD_COLUMNS CKT_SQL_RECORD_TABLES                            \
                           "WHERE m.run_id = ?1 AND (?2 IS NULL OR p.key = ?2) ORDER BY m.id")               \
  ROW(CKT_SQL_BEST,                                                                                          \
      "WITH ranked AS (SELECT m.id, row_number() OVER (PARTITION BY m.problem_id, d.name, d.target, "        \
      "d.simulated, r.toolchain_id, r.cache_state, m.simulated "                                             \
      "ORDER BY instr('" CKT_SQL_METHOD_ORDER                                                                \
      "', m.method), m.time_ms, i.key, m.id) AS rank " CKT_SQL_RECORD_TABLES                                 \
      "WHERE m.status = 'measured' AND m.time_ms > 0 AND (?1 IS NULL OR p.key = ?1) "                        \
      "AND (?2 IS NULL OR d.arch = ?2) AND (?3 IS NULL OR p.direction = ?3) "                                \
      "AND (?4 IS NULL OR p.dtype = ?4)) "                                                                   \
      "SELECT " CKT_SQL_RECORD_COLUMNS CKT_SQL_RECORD_TABLES "JOIN ranked ON ranked.id = m.id "              \
      "WHERE ranked.rank = 1 ORDER BY p.key, d.arch, d.name, d.target, m.simulated, r.toolchain_id DESC, "   \
      "r.cache_state")                                                                                       \
  ROW(CKT_SQL_NEWEST_RUN, "SELECT coalesce(max(id), 0) FROM runs")                                           \
  ROW(CKT_SQL_RUN_INFO,                                                                                      \
      "SELECT r.id, r.identity, r.command, r.version, r.started, r.finished, t.hip, t.rtc, "                 \
      "t.kernels_digest, d.name, d.target, d.arch, r.cache_state, r.init, d.simulated, d.compute_units, "    \
      "d.memory_bytes, d.clock_khz FROM runs r JOIN devices d ON d.id = r.device_id "                        \
      "JOIN toolchains t ON t.id = r.toolchain_id WHERE r.id = ?")                                           \
  ROW(CKT_SQL_QUEUE_UPLOAD,                                                                                  \
      "INSERT INTO uploads (run_id, url, reason, queued) VALUES (?, ?, ?, ?) ON CONFLICT (run_id, url) "     \
      "DO UPDATE SET reason = excluded.reason, queued = excluded.queued, sent = NULL, tries = tries + 1")    \
  ROW(CKT_SQL_UPLOAD_DONE, "UPDATE uploads SET sent = ? WHERE run_id = ? AND url = ?")                       \
  ROW(CKT_SQL_UPLOADS, "SELECT run_id, url, reason FROM uploads WHERE sent IS NULL ORDER BY run_id, url")

enum ckt_sql_id {
#define ROW(name, text) name,
  CKT_SQL_STATEMENTS(ROW)
#undef ROW
      CKT_SQL_COUNT
};

struct ckt_store {
  sqlite3 *db;
  char *path;
  sqlite3_stmt *statements[CKT_SQL_COUNT];
};

/* A statement under way. Values are bound in the order of the calls and read in the order of the columns;
 * a failure on the way is remembered and told by the next ckt_sql_next or ckt_sql_run. */
struct ckt_sql {
  struct ckt_store *store;
  sqlite3_stmt *statement;
  int next;   /* of the parameters, later of the columns */
  int status; /* of SQLite */
};

struct ckt_sql ckt_sql_start(struct ckt_store *store, enum ckt_sql_id id);
void ckt_sql_text(struct ckt_sql *sql, const char *value); /* NULL: SQL's NULL; must live until the end */
void ckt_sql_i64(struct ckt_sql *sql, int64_t value);
void ckt_sql_f64(struct ckt_sql *sql, double value); /* NaN: SQL's NULL */
/* Goes to the next row; *row false at the end. */
int ckt_sql_next(struct ckt_sql *sql, bool *row, struct ckt_error *error);
int64_t ckt_sql_read_i64(struct ckt_sql *sql);
double ckt_sql_read_f64(struct ckt_sql *sql); /* SQL's NULL: NaN */
/* A copy, to be freed; NULL for SQL's NULL, and when memory ran out, which the next call tells. */
char *ckt_sql_read_text(struct ckt_sql *sql);
const char *ckt_sql_peek_text(struct ckt_sql *sql); /* valid until the next row; "" for NULL */
/* Gives the statement back. Returns what was remembered. */
int ckt_sql_end(struct ckt_sql *sql, struct ckt_error *error);
/* All of a statement that has no rows. */
int ckt_sql_run(struct ckt_sql *sql, struct ckt_error *error);
/* The first column of the first row; *found false without one. */
int ckt_sql_one_i64(struct ckt_sql *sql, int64_t *value, bool *found, struct ckt_error *error);

/* One transaction: begin takes the writer's lock, finish commits when status is CKT_OK and rolls back
 * otherwise. */
int ckt_sql_begin(struct ckt_store *store, struct ckt_error *error);
int ckt_sql_finish(struct ckt_store *store, int status, struct ckt_error *error);

/* Fails with what SQLite says now: path, cause and remedy. */
int ckt_sql_fail(const struct ckt_store *store, int code, struct ckt_error *error);

/* store_schema.c: refuses what is not ours or newer, makes or migrates the rest. */
int ckt_store_schema_prepare(struct ckt_store *store, bool read_only, struct ckt_error *error);

/* store_owner.c: which process works on a run, as text; and whether that process still lives. */
#define CKT_OWNER_MAX 160
void ckt_owner_self(char owner[CKT_OWNER_MAX]);
bool ckt_owner_is_other_and_alive(const char *owner);

/* "2026-01-31T22:15:00Z" */
#define CKT_TIME_MAX 32
void ckt_time_now(char text[CKT_TIME_MAX]);

#endif
