/* The store: what is recorded comes back unchanged; a pair recorded again replaces the first; runs are
 * continued, finished or started anew; the best is the fastest per problem, device, toolchain, cache state
 * and timer, with ties settled; the upload queue; secrets in URLs are not kept. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fixture.h"

static void keeps_every_field(void **state) {
  char *path = fixture_path(state, "new/folder/store.db");
  struct ckt_store *store = fixture_open(path);
  const int64_t run = fixture_begin(store, "a", false, NULL);
  struct ckt_measurement written = {.status = CKT_WRONG_RESULT,
                                    .reason = "element 5 is 1.5, \"2\" was expected; d\xc3\xa9j\xc3\xa0",
                                    .time_ms = 0.1,
                                    .time_min_ms = 1.0 / 3,
                                    .time_max_ms = 1e300,
                                    .time_stddev_ms = 5e-324,
                                    .samples = 1,
                                    .samples_dropped = 2,
                                    .simulated = false,
                                    .method = CKT_METHOD_BATCH,
                                    .tflops = 3.5,
                                    .gbps = 4.5,
                                    .error_ratio = INFINITY,
                                    .wrong_elements = 3,
                                    .worst_index = INT64_MAX,
                                    .vgprs = 4,
                                    .agprs = 5,
                                    .sgprs = 6,
                                    .lds_bytes = 7,
                                    .scratch_bytes = 8,
                                    .workgroups_per_cu = 9,
                                    .compile_seconds = 10.5,
                                    .run_seconds = 11.5,
                                    .launch_seconds = 12.5};
  fixture_record(store, run, 64, 7, &written);
  ckt_store_close(&store);
  assert_null(store);

  store = fixture_open(path);
  struct ckt_error error = {0};
  struct ckt_record_list list;
  assert_ok(ckt_store_run_records(store, run, NULL, &list, &error), error);
  assert_int_equal(list.count, 1);
  const struct ckt_record *record = &list.items[0];
  struct fixture_entry entry;
  fixture_entry(&entry, 7);
  char key[CKT_INSTANCE_KEY_MAX];
  ckt_instance_key(&entry.entry.instance, key);
  assert_string_equal(record->instance_key, key);
  char problem_key[CKT_PROBLEM_KEY_MAX];
  const struct ckt_problem problem = fixture_problem(64);
  ckt_problem_key(&problem, problem_key);
  assert_string_equal(record->problem_key, problem_key);
  ckt_problem_key(&record->problem, problem_key);
  assert_string_equal(record->problem_key, problem_key);
  assert_string_equal(record->name, entry.name);
  assert_string_equal(record->line, entry.line);
  assert_int_equal(record->id, 7);
  assert_int_equal(record->run, run);
  assert_string_equal(record->device_name, "simulated MI250X");
  assert_string_equal(record->device_target, "gfx90a:sramecc+:xnack-");
  assert_string_equal(record->device_arch, "gfx90a");
  assert_string_equal(record->hip_version, "5.2.21153");
  assert_string_equal(record->rtc_version, "hiprtc 5.2, comgr 2.4");
  assert_string_equal(record->cache_state, "cold");
  assert_int_equal(strlen(record->started), 20);
  const struct ckt_measurement *read = &record->measurement;
  assert_int_equal(read->status, written.status);
  assert_string_equal(read->reason, written.reason);
  assert_int_equal(read->method, written.method);
  assert_int_equal(read->simulated, written.simulated);
  assert_true(isinf(read->error_ratio));
  const double real[][2] = {{read->time_ms, written.time_ms},
                            {read->time_min_ms, written.time_min_ms},
                            {read->time_max_ms, written.time_max_ms},
                            {read->time_stddev_ms, written.time_stddev_ms},
                            {read->tflops, written.tflops},
                            {read->gbps, written.gbps},
                            {read->compile_seconds, written.compile_seconds},
                            {read->run_seconds, written.run_seconds},
                            {read->launch_seconds, written.launch_seconds}};
  for (size_t i = 0; i < sizeof real / sizeof *real; i++)
    assert_true(real[i][0] == real[i][1]);
  const int64_t whole[][2] = {{read->samples, written.samples},
                              {read->samples_dropped, written.samples_dropped},
                              {read->wrong_elements, written.wrong_elements},
                              {read->worst_index, written.worst_index},
                              {read->vgprs, written.vgprs},
                              {read->agprs, written.agprs},
                              {read->sgprs, written.sgprs},
                              {read->lds_bytes, written.lds_bytes},
                              {read->scratch_bytes, written.scratch_bytes},
                              {read->workgroups_per_cu, written.workgroups_per_cu}};
  for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
    assert_true(whole[i][0] == whole[i][1]);
  ckt_record_list_free(&list);
  ckt_store_close(&store);
  free(path);
}

static void keeps_a_verification_error_that_is_no_number(void **state) {
  char *path = fixture_path(state, "store.db");
  struct ckt_store *store = fixture_open(path);
  const int64_t run = fixture_begin(store, "a", false, NULL);
  struct ckt_measurement measurement = fixture_status(CKT_WRONG_RESULT, "NaN");
  measurement.error_ratio = NAN;
  fixture_record(store, run, 64, 0, &measurement);
  struct ckt_error error = {0};
  struct ckt_record_list list;
  assert_ok(ckt_store_run_records(store, run, NULL, &list, &error), error);
  assert_true(isnan(list.items[0].measurement.error_ratio));
  ckt_record_list_free(&list);
  ckt_store_close(&store);
  free(path);
}

static void refuses_a_time_that_is_no_number(void **state) {
  char *path = fixture_path(state, "store.db");
  struct ckt_store *store = fixture_open(path);
  const int64_t run = fixture_begin(store, "a", false, NULL);
  struct ckt_measurement measurement = fixture_measured(1);
  measurement.time_ms = NAN;
  const struct ckt_problem problem = fixture_problem(64);
  struct fixture_entry entry;
  fixture_entry(&entry, 0);
  struct ckt_error error = {0};
  assert_int_equal(ckt_store_record(store, run, &problem, &entry.entry, "l", &measurement, &error),
                   CKT_E_INTERNAL);
  assert_contains(error.text, "time_ms");
  ckt_store_close(&store);
  free(path);
}

static void replaces_a_pair_recorded_again(void **state) {
  char *path = fixture_path(state, "store.db");
  struct ckt_store *store = fixture_open(path);
  const int64_t run = fixture_begin(store, "a", false, NULL);
  const struct ckt_measurement slow = fixture_measured(2);
  const struct ckt_measurement fast = fixture_measured(1);
  fixture_record(store, run, 64, 0, &slow);
  fixture_record(store, run, 64, 1, &slow);
  fixture_record(store, run, 32, 0, &slow);
  fixture_record(store, run, 64, 0, &fast);
  struct ckt_error error = {0};
  struct ckt_record_list list;
  assert_ok(ckt_store_run_records(store, run, NULL, &list, &error), error);
  assert_int_equal(list.count, 3);
  assert_int_equal(list.items[0].id, 0); /* its place stays */
  assert_true(list.items[0].measurement.time_ms == 1);
  ckt_record_list_free(&list);
  char key[CKT_PROBLEM_KEY_MAX];
  const struct ckt_problem problem = fixture_problem(32);
  ckt_problem_key(&problem, key);
  assert_ok(ckt_store_run_records(store, run, key, &list, &error), error);
  assert_int_equal(list.count, 1);
  assert_string_equal(list.items[0].problem_key, key);
  ckt_record_list_free(&list);
  ckt_store_close(&store);
  free(path);
}

static void refuses_a_run_that_is_not_there(void **state) {
  char *path = fixture_path(state, "store.db");
  struct ckt_store *store = fixture_open(path);
  const struct ckt_measurement measurement = fixture_measured(1);
  const struct ckt_problem problem = fixture_problem(64);
  struct fixture_entry entry;
  fixture_entry(&entry, 0);
  struct ckt_error error = {0};
  assert_int_equal(ckt_store_record(store, 5, &problem, &entry.entry, "l", &measurement, &error),
                   CKT_E_INTERNAL);
  assert_int_equal(ckt_store_finish_run(store, 5, &error), CKT_E_INPUT);
  struct ckt_run_info info;
  assert_int_equal(ckt_store_run_info(store, 5, &info, &error), CKT_E_INPUT);
  assert_contains(error.text, "run 5");
  int64_t newest = -1;
  assert_ok(ckt_store_newest_run(store, &newest, &error), error);
  assert_int_equal(newest, 0);
  ckt_store_close(&store);
  free(path);
}

static void continues_the_newest_unfinished_run(void **state) {
  char *path = fixture_path(state, "store.db");
  struct ckt_store *store = fixture_open(path);
  struct ckt_error error = {0};
  bool resumed = true;
  const int64_t first = fixture_begin(store, "a", false, &resumed);
  assert_false(resumed);
  assert_int_equal(fixture_begin(store, "a", false, &resumed), first);
  assert_true(resumed);
  const int64_t other = fixture_begin(store, "b", false, &resumed);
  assert_false(resumed);
  assert_int_not_equal(other, first);
  const int64_t fresh = fixture_begin(store, "a", true, &resumed);
  assert_false(resumed);
  assert_int_not_equal(fresh, first);
  assert_int_equal(fixture_begin(store, "a", false, &resumed), fresh);
  assert_ok(ckt_store_finish_run(store, fresh, &error), error);
  assert_int_equal(fixture_begin(store, "a", false, &resumed), first); /* still unfinished */
  assert_ok(ckt_store_finish_run(store, first, &error), error);
  const int64_t last = fixture_begin(store, "a", false, &resumed);
  assert_false(resumed);
  int64_t newest = 0;
  assert_ok(ckt_store_newest_run(store, &newest, &error), error);
  assert_int_equal(newest, last);
  ckt_store_close(&store);
  free(path);
}

static void tells_of_a_run(void **state) {
  char *path = fixture_path(state, "store.db");
  struct ckt_store *store = fixture_open(path);
  struct ckt_error error = {0};
  struct ckt_run_setup setup = fixture_setup("id");
  setup.command = "cktune --upload https://me:pa/ss@host/x --problem 'a b'";
  int64_t run;
  bool resumed;
  assert_ok(ckt_store_begin_run(store, &setup, false, &run, &resumed, &error), error);
  struct ckt_run_info info;
  assert_ok(ckt_store_run_info(store, run, &info, &error), error);
  assert_int_equal(info.id, run);
  assert_string_equal(info.identity, "id");
  assert_string_equal(info.command, "cktune --upload https://host/x --problem 'a b'");
  assert_string_equal(info.version, setup.version);
  assert_null(info.finished);
  assert_string_equal(info.hip_version, setup.hip_version);
  assert_string_equal(info.rtc_version, setup.rtc_version);
  assert_string_equal(info.kernels_digest, setup.kernels_digest);
  assert_string_equal(info.device_name, setup.device_name);
  assert_string_equal(info.device_target, setup.device_target);
  assert_string_equal(info.device_arch, setup.device_arch);
  assert_string_equal(info.cache_state, setup.cache_state);
  assert_string_equal(info.init, setup.init);
  assert_true(info.simulated);
  assert_int_equal(info.compute_units, setup.compute_units);
  assert_int_equal(info.memory_bytes, setup.memory_bytes);
  assert_int_equal(info.clock_khz, setup.clock_khz);
  ckt_run_info_free(&info);
  assert_ok(ckt_store_finish_run(store, run, &error), error);
  assert_ok(ckt_store_run_info(store, run, &info, &error), error);
  assert_non_null(info.finished);
  ckt_run_info_free(&info);
  ckt_store_close(&store);
  free(path);
}

/* --- best --- */

static void best_is_the_fastest_of_all_runs(void **state) {
  char *path = fixture_path(state, "store.db");
  struct ckt_store *store = fixture_open(path);
  struct ckt_error error = {0};
  const double times[][3] = {{3, 2, 5}, {4, 1.5, 6}};
  for (int r = 0; r < 2; r++) {
    const int64_t run = fixture_begin(store, "a", true, NULL);
    for (int i = 0; i < 3; i++) {
      const struct ckt_measurement measurement = fixture_measured(times[r][i]);
      fixture_record(store, run, 64, i, &measurement);
    }
    const struct ckt_measurement failed = fixture_status(CKT_RUN_FAILED, "memory fault");
    fixture_record(store, run, 64, 3, &failed);
    struct ckt_measurement zero = fixture_measured(1);
    zero.time_ms = 0;
    fixture_record(store, run, 64, 4, &zero);
  }
  struct ckt_record_list list;
  assert_ok(ckt_store_best(store, NULL, &list, &error), error);
  assert_int_equal(list.count, 1);
  assert_int_equal(list.items[0].id, 1);
  assert_true(list.items[0].measurement.time_ms == 1.5);
  assert_int_equal(list.items[0].run, 2);
  ckt_record_list_free(&list);
  ckt_store_close(&store);
  free(path);
}

static void best_settles_ties_by_key(void **state) {
  char *path = fixture_path(state, "store.db");
  struct ckt_store *store = fixture_open(path);
  struct ckt_error error = {0};
  const int64_t run = fixture_begin(store, "a", true, NULL);
  const struct ckt_measurement same = fixture_measured(1);
  const int64_t order[] = {2, 0, 1};
  char least[CKT_INSTANCE_KEY_MAX] = "\x7f";
  for (int i = 0; i < 3; i++) {
    fixture_record(store, run, 64, order[i], &same);
    struct fixture_entry entry;
    char key[CKT_INSTANCE_KEY_MAX];
    fixture_entry(&entry, order[i]);
    ckt_instance_key(&entry.entry.instance, key);
    if (strcmp(key, least) < 0)
      memcpy(least, key, sizeof least);
  }
  struct ckt_record_list list;
  assert_ok(ckt_store_best(store, NULL, &list, &error), error);
  assert_int_equal(list.count, 1);
  assert_string_equal(list.items[0].instance_key, least);
  ckt_record_list_free(&list);
  ckt_store_close(&store);
  free(path);
}

static size_t count_best(struct ckt_store *store, const struct ckt_best_filter *filter) {
  struct ckt_error error = {0};
  struct ckt_record_list list;
  assert_ok(ckt_store_best(store, filter, &list, &error), error);
  const size_t count = list.count;
  ckt_record_list_free(&list);
  return count;
}

/* Each run differs from the first in one respect, and so has a best of its own. */
/* A batch holds the cost of launching, an event pair that of recording: the smaller number is not the faster
 * kernel. */
static void best_ranks_one_method_only(void **state) {
  static const enum ckt_method methods[] = {CKT_METHOD_BATCH, CKT_METHOD_PAIR, CKT_METHOD_EXT,
                                            CKT_METHOD_EXT};
  static const double times[] = {1, 2, 4, 3};
  char *path = fixture_path(state, "store.db");
  struct ckt_store *store = fixture_open(path);
  const int64_t run = fixture_begin(store, "a", false, NULL);
  for (int i = 0; i < 4; i++) {
    struct ckt_measurement measurement = fixture_measured(times[i]);
    measurement.method = methods[i];
    fixture_record(store, run, 64, i, &measurement);
    struct ckt_error error = {0};
    struct ckt_record_list list;
    assert_ok(ckt_store_best(store, NULL, &list, &error), error);
    assert_int_equal(list.count, 1);
    assert_int_equal(list.items[0].id, i); /* each is preferred to those before it */
    ckt_record_list_free(&list);
  }
  ckt_store_close(&store);
  free(path);
}

static void best_keeps_apart_what_cannot_be_compared(void **state) {
  char *path = fixture_path(state, "store.db");
  struct ckt_store *store = fixture_open(path);
  struct ckt_error error = {0};
  enum { RUNS = 8 };
  struct ckt_run_setup setup[RUNS];
  for (int i = 0; i < RUNS; i++)
    setup[i] = fixture_setup("a");
  setup[1].device_name = "simulated MI210";
  setup[2].device_target = "gfx90a:sramecc-:xnack-";
  setup[3].simulated = false;
  setup[4].hip_version = "6.2";
  setup[5].kernels_digest = "other";
  setup[6].cache_state = "warm";
  setup[7].device_arch = "gfx942";
  setup[7].device_target = "gfx942:sramecc+:xnack-";
  for (int i = 0; i < RUNS; i++) {
    int64_t run;
    bool resumed;
    assert_ok(ckt_store_begin_run(store, &setup[i], true, &run, &resumed, &error), error);
    struct ckt_measurement measurement = fixture_measured(1 + i);
    fixture_record(store, run, 64, i, &measurement);
  }
  assert_int_equal(count_best(store, NULL), RUNS);
  const int64_t run = fixture_begin(store, "a", true, NULL); /* like the first, but timed by events */
  struct ckt_measurement timed = fixture_measured(9);
  timed.simulated = false;
  timed.method = CKT_METHOD_EXT;
  fixture_record(store, run, 64, 0, &timed);
  assert_int_equal(count_best(store, NULL), RUNS + 1);
  /* A memory size that differs by little is the same model. */
  struct ckt_run_setup memory = fixture_setup("a");
  memory.memory_bytes -= 4096;
  int64_t again;
  bool resumed;
  assert_ok(ckt_store_begin_run(store, &memory, true, &again, &resumed, &error), error);
  const struct ckt_measurement measurement = fixture_measured(0.5);
  fixture_record(store, again, 64, 0, &measurement);
  assert_int_equal(count_best(store, NULL), RUNS + 1);

  assert_int_equal(count_best(store, &(struct ckt_best_filter){.device_arch = "gfx942"}), 1);
  assert_int_equal(count_best(store, &(struct ckt_best_filter){.device_arch = "gfx950"}), 0);
  assert_int_equal(count_best(store, &(struct ckt_best_filter){.direction = "forward"}), RUNS + 1);
  assert_int_equal(count_best(store, &(struct ckt_best_filter){.direction = "backward_data"}), 0);
  assert_int_equal(count_best(store, &(struct ckt_best_filter){.dtype = "fp16"}), RUNS + 1);
  assert_int_equal(count_best(store, &(struct ckt_best_filter){.dtype = "bf16"}), 0);
  assert_int_equal(count_best(store, &(struct ckt_best_filter){.problem_key = "' OR 1=1 --"}), 0);
  ckt_store_close(&store);
  free(path);
}

/* --- uploads --- */

static size_t count_uploads(struct ckt_store *store) {
  struct ckt_error error = {0};
  struct ckt_upload_list list;
  assert_ok(ckt_store_uploads(store, &list, &error), error);
  const size_t count = list.count;
  ckt_upload_list_free(&list);
  return count;
}

static void queues_uploads(void **state) {
  char *path = fixture_path(state, "store.db");
  struct ckt_store *store = fixture_open(path);
  struct ckt_error error = {0};
  const int64_t run = fixture_begin(store, "a", false, NULL);
  assert_int_equal(count_uploads(store), 0);
  assert_ok(ckt_store_queue_upload(store, run, "https://me:secret@host/x?db=d", "refused", &error), error);
  assert_ok(ckt_store_queue_upload(store, run, "https://me:secret@host/x?db=d", "timed out", &error), error);
  assert_ok(ckt_store_queue_upload(store, run, "http://other:80/", "status 500", &error), error);
  struct ckt_upload_list list;
  assert_ok(ckt_store_uploads(store, &list, &error), error);
  assert_int_equal(list.count, 2);
  assert_int_equal(list.items[1].run, run);
  assert_string_equal(list.items[1].url, "https://host/x?db=d");
  assert_string_equal(list.items[1].reason, "timed out");
  ckt_upload_list_free(&list);
  assert_ok(ckt_store_upload_done(store, run, "https://me:other@host/x?db=d", &error), error);
  assert_int_equal(count_uploads(store), 1);
  assert_ok(ckt_store_upload_done(store, run, "http://other:80/", &error), error);
  assert_int_equal(count_uploads(store), 0);
  assert_ok(ckt_store_queue_upload(store, run, "https://host/x?db=d", "again", &error), error);
  assert_int_equal(count_uploads(store), 1);
  assert_int_equal(ckt_store_queue_upload(store, 77, "https://host/", "no such run", &error), CKT_E_INTERNAL);
  ckt_store_close(&store);
  free(path);
}

#define FOLDER_TEST(name) cmocka_unit_test_setup_teardown(name, fixture_folder_make, fixture_folder_remove)

int main(void) {
  const struct CMUnitTest tests[] = {
      FOLDER_TEST(keeps_every_field),
      FOLDER_TEST(keeps_a_verification_error_that_is_no_number),
      FOLDER_TEST(refuses_a_time_that_is_no_number),
      FOLDER_TEST(replaces_a_pair_recorded_again),
      FOLDER_TEST(refuses_a_run_that_is_not_there),
      FOLDER_TEST(continues_the_newest_unfinished_run),
      FOLDER_TEST(tells_of_a_run),
      FOLDER_TEST(best_is_the_fastest_of_all_runs),
      FOLDER_TEST(best_settles_ties_by_key),
      FOLDER_TEST(best_ranks_one_method_only),
      FOLDER_TEST(best_keeps_apart_what_cannot_be_compared),
      FOLDER_TEST(queues_uploads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
