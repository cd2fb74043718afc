/* The store's file: what is not ours, newer, damaged, unwritable or on a full disk is refused with path,
 * cause and remedy, and left as it is; several processes on one store; SIGKILL in the middle of recording
 * loses no committed row; a run in another living process is not continued. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/file.h"
#include "fixture.h"

static void expect_refusal(const char *path, bool read_only, const char *part, const char *other) {
  struct ckt_error error = {0};
  struct ckt_store *store = NULL;
  assert_int_equal(ckt_store_open(path, read_only, &store, &error), CKT_E_STORE);
  assert_null(store);
  assert_contains(error.text, path);
  assert_contains(error.text, part);
  assert_contains(error.text, other);
}

/* Runs SQL on the file with a connection of our own. */
static void execute(const char *path, const char *sql) {
  sqlite3 *db = NULL;
  assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
  char *message = NULL;
  if (sqlite3_exec(db, sql, NULL, NULL, &message) != SQLITE_OK)
    fail_msg("%s: %s", sql, message);
  assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static char *ask(const char *path, const char *sql) {
  sqlite3 *db = NULL;
  sqlite3_stmt *statement = NULL;
  assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
  assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &statement, NULL), SQLITE_OK);
  assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
  char *answer = strdup((const char *)sqlite3_column_text(statement, 0));
  sqlite3_finalize(statement);
  sqlite3_close(db);
  return answer;
}

static void expect_answer(const char *path, const char *sql, const char *expected) {
  char *answer = ask(path, sql);
  assert_string_equal(answer, expected);
  free(answer);
}

static void expect_unchanged(const char *path, const void *bytes, size_t length) {
  struct ckt_error error = {0};
  struct ckt_text content = {0};
  assert_ok(ckt_file_read(path, &content, &error), error);
  assert_int_equal(content.length, length);
  assert_memory_equal(ckt_text_string(&content), bytes, length);
  ckt_text_free(&content);
}

/* --- what is not a store of ours --- */

static void refuses_other_files(void **state) {
  char *path = fixture_path(state, "store.db");
  char bytes[5000];
  for (size_t i = 0; i < sizeof bytes; i++)
    bytes[i] = (char)('a' + i % 26);
  const size_t lengths[] = {1, 5, 99, 100, 512, sizeof bytes};
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
    struct ckt_error error = {0};
    assert_ok(ckt_file_write(path, bytes, lengths[i], &error), error);
    expect_refusal(path, false, "not a database", "--db");
    expect_refusal(path, true, "not a database", "--db");
    expect_unchanged(path, bytes, lengths[i]);
  }
  free(path);
}

static void takes_an_empty_file(void **state) {
  char *path = fixture_path(state, "store.db");
  struct ckt_error error = {0};
  assert_ok(ckt_file_write(path, "", 0, &error), error);
  struct ckt_store *store = fixture_open(path);
  fixture_begin(store, "a", false, NULL);
  ckt_store_close(&store);
  free(path);
}

static void refuses_databases_of_other_programs(void **state) {
  static const char *const made[] = {
      "CREATE TABLE runs (id INTEGER PRIMARY KEY)",
      "PRAGMA user_version = 1; CREATE TABLE t (a)",
      "PRAGMA application_id = 1196444487; CREATE TABLE t (a)",
      "PRAGMA application_id = 7; CREATE TABLE t (a); DROP TABLE t",
  };
  for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
    char name[32];
    snprintf(name, sizeof name, "other%zu.db", i);
    char *path = fixture_path(state, name);
    execute(path, made[i]);
    struct ckt_error error = {0};
    struct ckt_text before = {0};
    assert_ok(ckt_file_read(path, &before, &error), error);
    expect_refusal(path, false, "another program", "--db");
    expect_unchanged(path, ckt_text_string(&before), before.length);
    ckt_text_free(&before);
    free(path);
  }
}

static void refuses_a_newer_version(void **state) {
  char *path = fixture_path(state, "store.db");
  struct ckt_store *store = fixture_open(path);
  ckt_store_close(&store);
  execute(path, "PRAGMA user_version = 99");
  expect_refusal(path, false, "version 99", "up to 1");
  expect_refusal(path, true, "version 99", "up to 1");
  expect_answer(path, "PRAGMA user_version", "99");
  free(path);
}

static void refuses_a_damaged_store(void **state) {
  char *path = fixture_path(state, "store.db");
  struct ckt_store *store = fixture_open(path);
  ckt_store_close(&store);
  const int fd = open(path, O_WRONLY | O_CLOEXEC);
  char garbage[3000];
  memset(garbage, 0xa5, sizeof garbage);
  assert_int_equal(pwrite(fd, garbage, sizeof garbage, 100), sizeof garbage);
  close(fd);
  expect_refusal(path, false, "malformed", "--db");
  free(path);
}

/* --- migration --- */

static void migrates_from_nothing(void **state) {
  char *path = fixture_path(state, "store.db");
  struct ckt_store *store = fixture_open(path);
  ckt_store_close(&store);
  expect_answer(path, "PRAGMA user_version", "1");
  expect_answer(path, "PRAGMA application_id", "1667986542");
  expect_answer(path, "PRAGMA journal_mode", "wal");
  expect_answer(path,
                "SELECT count(*) FROM pragma_table_list WHERE schema = 'main' AND type = 'table' "
                "AND name NOT LIKE 'sqlite_%' AND strict = 0",
                "0");
  expect_answer(path,
                "SELECT group_concat(name, ' ') FROM (SELECT name FROM sqlite_schema "
                "WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name)",
                "devices instances listings measurements problems runs toolchains uploads");
  free(path);
}

/* A migration that fails half-way leaves the file as it was: here a view takes a table's name after the
 * store was stamped as version 0. */
static void a_failed_migration_changes_nothing(void **state) {
  char *path = fixture_path(state, "store.db");
  execute(path, "PRAGMA application_id = 1667986542; CREATE VIEW measurements AS SELECT 1 AS one");
  expect_refusal(path, false, "measurements", "--db");
  expect_answer(path, "PRAGMA user_version", "0");
  expect_answer(path, "SELECT group_concat(name) FROM sqlite_schema", "measurements");
  free(path);
}

/* --- places that cannot be written --- */

static void names_what_cannot_be_made(void **state) {
  char *file = fixture_path(state, "file");
  char *below = fixture_path(state, "file/store.db");
  struct ckt_error error = {0};
  assert_ok(ckt_file_write(file, "x", 1, &error), error);
  expect_refusal(below, false, "there is a file of that name", "--db");
  expect_refusal("/proc/cktune/store.db", false, "cannot make the folder", "--db");
  expect_refusal("/proc/cktune.db", false, "unable to open database file", "--db");
  char *folder = fixture_path(state, "");
  expect_refusal(folder, false, "unable to open database file", "--db");
  free(folder);
  char *missing = fixture_path(state, "missing.db");
  expect_refusal(missing, true, "there is no store", "--db");
  assert_false(ckt_file_exists(missing));
  free(missing);
  struct ckt_store *store = NULL;
  assert_int_equal(ckt_store_open("", false, &store, &error), CKT_E_USAGE);
  free(below);
  free(file);
}

/* Runs a function in a child process; its assertions count through the exit status. */
static void in_child(int (*function)(const char *path), const char *path) {
  fflush(NULL);
  const pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0)
    _exit(function(path));
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 0);
}

static int report(const char *what) {
  fprintf(stderr, "in the child: %s\n", what);
  return 1;
}

/* As root, permissions forbid nothing: become nobody. */
static int refused_without_permission(const char *path) {
  if (geteuid() == 0 && setuid(65534) != 0)
    return report(strerror(errno));
  struct ckt_error error = {0};
  struct ckt_store *store = NULL;
  if (ckt_store_open(path, false, &store, &error) != CKT_E_STORE)
    return report("a store without permission to write was opened");
  if (strstr(error.text, path) == NULL || strstr(error.text, "--db") == NULL)
    return report(error.text);
  struct ckt_record_list list;
  if (ckt_store_open(path, true, &store, &error) != CKT_OK ||
      ckt_store_best(store, NULL, &list, &error) != CKT_OK)
    return report(error.text);
  const size_t count = list.count;
  ckt_record_list_free(&list);
  ckt_store_close(&store);
  return count == 1 ? 0 : report("the best was not found");
}

static void reads_what_it_may_not_write(void **state) {
  char *path = fixture_path(state, "store 100%?#.db");
  struct ckt_store *store = fixture_open(path);
  const struct ckt_measurement measurement = fixture_measured(1);
  fixture_record(store, fixture_begin(store, "a", false, NULL), 64, 0, &measurement);
  ckt_store_close(&store);
  assert_int_equal(chmod(path, 0444), 0);
  assert_int_equal(chmod(*state, 0555), 0);
  in_child(refused_without_permission, path);
  assert_int_equal(chmod(*state, 0755), 0);
  free(path);
}

/* A limit on the file's size stands for a full disk. */
static int fails_when_the_disk_is_full(const char *path) {
  signal(SIGXFSZ, SIG_IGN);
  struct ckt_error error = {0};
  struct ckt_store *store = NULL;
  if (ckt_store_open(path, false, &store, &error) != CKT_OK)
    return report(error.text);
  const struct rlimit limit = {(rlim_t)200 << 10, (rlim_t)200 << 10};
  if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
    return report(strerror(errno));
  const struct ckt_run_setup setup = fixture_setup("a");
  int64_t run;
  bool resumed;
  if (ckt_store_begin_run(store, &setup, false, &run, &resumed, &error) != CKT_OK)
    return report(error.text);
  const struct ckt_problem problem = fixture_problem(64);
  const struct ckt_measurement measurement = fixture_measured(1);
  int64_t recorded = 0;
  int status = CKT_OK;
  for (; status == CKT_OK && recorded < 10000; recorded++) {
    struct fixture_entry entry;
    fixture_entry(&entry, recorded);
    status = ckt_store_record(store, run, &problem, &entry.entry, "l", &measurement, &error);
  }
  if (status != CKT_E_STORE || strstr(error.text, path) == NULL)
    return report(error.text);
  ckt_store_close(&store);
  char count[32];
  snprintf(count, sizeof count, "%lld", (long long)recorded - 1);
  char *answer = ask(path, "SELECT count(*) FROM measurements");
  const int different = strcmp(answer, count);
  free(answer);
  return different == 0 ? 0 : report("a row that was recorded is lost");
}

static void a_full_disk_loses_nothing_recorded(void **state) {
  char *path = fixture_path(state, "store.db");
  in_child(fails_when_the_disk_is_full, path);
  expect_answer(path, "PRAGMA integrity_check", "ok");
  free(path);
}

/* --- several processes --- */

enum { WRITERS = 4, ROWS_OF_A_WRITER = 40 };

/* All make the store and write to it at the same time; identity is the pid, problem K the writer. */
static int write_rows(const char *path, int writer) {
  struct ckt_error error = {0};
  struct ckt_store *store = NULL;
  if (ckt_store_open(path, false, &store, &error) != CKT_OK)
    return report(error.text);
  const struct ckt_run_setup setup = fixture_setup("shared");
  int64_t run;
  bool resumed;
  if (ckt_store_begin_run(store, &setup, true, &run, &resumed, &error) != CKT_OK)
    return report(error.text);
  const struct ckt_measurement measurement = fixture_measured(1);
  const struct ckt_problem problem = fixture_problem(64 + writer);
  for (int row = 0; row < ROWS_OF_A_WRITER; row++) {
    struct fixture_entry entry;
    fixture_entry(&entry, row);
    if (ckt_store_record(store, run, &problem, &entry.entry, "l", &measurement, &error) != CKT_OK)
      return report(error.text);
  }
  const int status = ckt_store_finish_run(store, run, &error);
  ckt_store_close(&store);
  return status == CKT_OK ? 0 : report(error.text);
}

static void several_processes_share_a_store(void **state) {
  char *path = fixture_path(state, "store.db");
  fflush(NULL);
  pid_t children[WRITERS];
  for (int i = 0; i < WRITERS; i++) {
    children[i] = fork();
    assert_true(children[i] >= 0);
    if (children[i] == 0)
      _exit(write_rows(path, i));
  }
  for (int i = 0; i < WRITERS; i++) {
    int status = 0;
    assert_int_equal(waitpid(children[i], &status, 0), children[i]);
    assert_int_equal(status, 0);
  }
  expect_answer(path, "PRAGMA integrity_check", "ok");
  expect_answer(path, "SELECT count(*) FROM measurements", "160");
  expect_answer(path, "SELECT count(*) FROM runs WHERE finished IS NOT NULL", "4");
  expect_answer(path, "SELECT count(*) FROM instances", "40");
  expect_answer(path, "SELECT count(*) FROM devices", "1");
  free(path);
}

/* Records without end and tells each row through the pipe once its commit has returned. */
static int record_until_killed(const char *path, int told, bool continues) {
  struct ckt_error error = {0};
  struct ckt_store *store = NULL;
  if (ckt_store_open(path, false, &store, &error) != CKT_OK)
    return report(error.text);
  const struct ckt_run_setup setup = fixture_setup("killed");
  int64_t run;
  bool resumed;
  if (ckt_store_begin_run(store, &setup, false, &run, &resumed, &error) != CKT_OK)
    return report(error.text);
  if (resumed != continues || run != 1)
    return report("not the run of the killed process");
  const struct ckt_measurement measurement = fixture_measured(1);
  const struct ckt_problem problem = fixture_problem(64);
  for (int32_t row = 0;; row++) {
    struct fixture_entry entry;
    fixture_entry(&entry, row);
    if (ckt_store_record(store, run, &problem, &entry.entry, "l", &measurement, &error) != CKT_OK ||
        write(told, &row, sizeof row) != sizeof row)
      return report(error.text);
  }
}

/* The last row that the child told of when it was killed after `nanoseconds`, -1 when none. */
static int32_t kill_a_recorder(const char *path, long nanoseconds, bool continues) {
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  fflush(NULL);
  const pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    close(ends[0]);
    _exit(record_until_killed(path, ends[1], continues));
  }
  close(ends[1]);
  int32_t last = -1;
  int32_t row;
  assert_int_equal(read(ends[0], &row, sizeof row), sizeof row); /* it is under way */
  last = row;
  nanosleep(&(struct timespec){.tv_nsec = nanoseconds}, NULL);
  assert_int_equal(kill(child, SIGKILL), 0);
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFSIGNALED(status));
  while (read(ends[0], &row, sizeof row) == sizeof row)
    last = row;
  close(ends[0]);
  return last;
}

static void a_kill_loses_no_recorded_row(void **state) {
  char *path = fixture_path(state, "store.db");
  const long waits[] = {0, 3000000, 11000000, 37000000, 90000000};
  int64_t most = 0;
  for (size_t i = 0; i < sizeof waits / sizeof *waits; i++) {
    const int32_t last = kill_a_recorder(path, waits[i], i > 0);
    if (last + 1 > most)
      most = last + 1;
    struct ckt_store *store = fixture_open(path);
    struct ckt_error error = {0};
    struct ckt_record_list list;
    assert_ok(ckt_store_run_records(store, 1, NULL, &list, &error), error);
    assert_true(list.count >= (size_t)most);
    assert_true(list.count <= (size_t)most + 1); /* committed, but killed before it could tell */
    most = (int64_t)list.count;
    ckt_record_list_free(&list);
    ckt_store_close(&store);
    expect_answer(path, "PRAGMA integrity_check", "ok");
    expect_answer(path, "SELECT count(*) FROM pragma_foreign_key_check", "0");
  }
  free(path);
}

/* --- a run that another process works on --- */

static int second_process_starts_its_own(const char *path) {
  struct ckt_error error = {0};
  struct ckt_store *store = NULL;
  if (ckt_store_open(path, false, &store, &error) != CKT_OK)
    return report(error.text);
  const struct ckt_run_setup setup = fixture_setup("a");
  int64_t run = 0;
  bool resumed = true;
  if (ckt_store_begin_run(store, &setup, false, &run, &resumed, &error) != CKT_OK)
    return report(error.text);
  ckt_store_close(&store);
  return !resumed && run == 2 ? 0 : report("the run of a living process was continued");
}

static void a_run_in_another_process_is_not_continued(void **state) {
  char *path = fixture_path(state, "store.db");
  struct ckt_store *store = fixture_open(path);
  assert_int_equal(fixture_begin(store, "a", false, NULL), 1);
  ckt_store_close(&store); /* SQLite's connections must not cross fork */
  in_child(second_process_starts_its_own, path);
  store = fixture_open(path);
  bool resumed = false;
  assert_int_equal(fixture_begin(store, "a", false, &resumed), 2); /* its process has ended */
  assert_true(resumed);
  ckt_store_close(&store);
  free(path);
}

/* Begins a run, tells, and stays alive until it is killed. */
static pid_t start_owner(const char *path) {
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  fflush(NULL);
  const pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    struct ckt_store *store = NULL;
    const struct ckt_run_setup setup = fixture_setup("a");
    int64_t run;
    bool resumed;
    if (ckt_store_open(path, false, &store, NULL) != CKT_OK ||
        ckt_store_begin_run(store, &setup, false, &run, &resumed, NULL) != CKT_OK ||
        write(ends[1], "", 1) != 1)
      _exit(1);
    for (;;)
      pause();
  }
  char byte;
  assert_int_equal(read(ends[0], &byte, 1), 1);
  close(ends[0]);
  close(ends[1]);
  return child;
}

/* The pid lives, but the boot, the start time or the text says that it is not the one that began the run. */
static void an_owner_of_another_boot_or_start_is_gone(void **state) {
  char *path = fixture_path(state, "store.db");
  const pid_t child = start_owner(path);
  char *owner = ask(path, "SELECT owner FROM runs");
  static const char *const changes[] = {
      "'00000000-0000-0000-0000-000000000000' || substr('%s', 37)", /* another boot */
      "'%s' || '0'",                                                /* a pid used again */
      "substr('%s', 1, 0)",
      "'nonsense %s'",
  };
  for (size_t i = 0; i <= sizeof changes / sizeof *changes; i++) {
    char value[300];
    char sql[400];
    snprintf(value, sizeof value, i == 0 ? "'%s'" : changes[i - 1], owner);
    snprintf(sql, sizeof sql, "UPDATE runs SET owner = %s WHERE id = 1", value);
    execute(path, sql);
    struct ckt_store *store = fixture_open(path);
    struct ckt_error error = {0};
    bool resumed = false;
    const int64_t run = fixture_begin(store, "a", false, &resumed);
    assert_int_equal(resumed, i > 0); /* unchanged, it is the living one */
    assert_int_equal(run == 1, i > 0);
    if (!resumed)
      assert_ok(ckt_store_finish_run(store, run, &error), error);
    ckt_store_close(&store);
  }
  assert_int_equal(kill(child, SIGKILL), 0);
  assert_int_equal(waitpid(child, NULL, 0), child);
  free(owner);
  free(path);
}

#define FOLDER_TEST(name) cmocka_unit_test_setup_teardown(name, fixture_folder_make, fixture_folder_remove)

int main(void) {
  const struct CMUnitTest tests[] = {
      FOLDER_TEST(refuses_other_files),
      FOLDER_TEST(takes_an_empty_file),
      FOLDER_TEST(refuses_databases_of_other_programs),
      FOLDER_TEST(refuses_a_newer_version),
      FOLDER_TEST(refuses_a_damaged_store),
      FOLDER_TEST(migrates_from_nothing),
      FOLDER_TEST(a_failed_migration_changes_nothing),
      FOLDER_TEST(names_what_cannot_be_made),
      FOLDER_TEST(reads_what_it_may_not_write),
      FOLDER_TEST(a_full_disk_loses_nothing_recorded),
      FOLDER_TEST(several_processes_share_a_store),
      FOLDER_TEST(a_kill_loses_no_recorded_row),
      FOLDER_TEST(a_run_in_another_process_is_not_continued),
      FOLDER_TEST(an_owner_of_another_boot_or_start_is_gone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
