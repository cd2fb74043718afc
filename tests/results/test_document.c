/* The run's document: the fields of schema 1, the counts that sum to what was listed, the best or null, the
 * candidates in order; of a run that is unfinished, empty or unknown. */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "results/document.h"

static cJSON *item(const cJSON *object, const char *name) {
  cJSON *found = cJSON_GetObjectItemCaseSensitive(object, name);
  if (found == NULL)
    fail_msg("the field \"%s\" is missing", name);
  return found;
}

static const char *text_of(const cJSON *object, const char *name) {
  const char *text = cJSON_GetStringValue(item(object, name));
  if (text == NULL)
    fail_msg("the field \"%s\" is no text", name);
  return text;
}

static double number_of(const cJSON *object, const char *name) {
  const cJSON *number = item(object, name);
  if (!cJSON_IsNumber(number))
    fail_msg("the field \"%s\" is no number", name);
  return number->valuedouble;
}

static cJSON *build(struct ckt_store *store, int64_t run, const struct ckt_document_problem *problems,
                    size_t count, bool indent) {
  struct ckt_error error = {0};
  struct ckt_text text = {0};
  assert_ok(ckt_document_build(store, run, problems, count, indent, &text, &error), error);
  cJSON *document = cJSON_ParseWithOpts(ckt_text_string(&text), NULL, 1);
  if (document == NULL)
    fail_msg("no JSON: %s", ckt_text_string(&text));
  assert_int_equal(strchr(ckt_text_string(&text), '\n') != NULL, indent);
  ckt_text_free(&text);
  return document;
}

static void assert_counts(const cJSON *problem, int listed, int compiled, int resumed) {
  const cJSON *counts = item(problem, "counts");
  assert_true(number_of(counts, "listed") == listed);
  assert_true(number_of(counts, "compiled") == compiled);
  assert_true(number_of(counts, "resumed") == resumed);
  assert_int_equal(cJSON_GetArraySize(counts), 4 + CKT_STATUS_COUNT);
  double sum = 0;
  for (int status = 0; status < CKT_STATUS_COUNT; status++)
    sum += number_of(counts, ckt_status_word((enum ckt_pair_status)status));
  assert_true(sum + number_of(counts, "not_reached") == listed);
}

static void describes_the_run(void **state) {
  char *path = fixture_path(state, "store.db");
  struct ckt_store *store = fixture_open(path);
  struct ckt_error error = {0};
  const int64_t run = fixture_begin(store, "a", false, NULL);
  for (int finished = 0; finished < 2; finished++) {
    cJSON *document = build(store, run, NULL, 0, finished == 1);
    assert_true(number_of(document, "schema") == 1);
    const cJSON *object = item(document, "run");
    assert_true(number_of(object, "id") == (double)run);
    assert_int_equal(text_of(object, "started")[19], 'Z');
    assert_int_equal(cJSON_IsNull(item(object, "finished")), finished == 0);
    assert_string_equal(text_of(object, "cache"), "cold");
    assert_string_equal(text_of(object, "init"), "normal");
    const cJSON *device = item(object, "device");
    assert_string_equal(text_of(device, "name"), "simulated MI250X");
    assert_string_equal(text_of(device, "arch"), "gfx90a");
    assert_string_equal(text_of(device, "target"), "gfx90a:sramecc+:xnack-");
    assert_true(cJSON_IsTrue(item(device, "simulated")));
    assert_true(number_of(device, "memory_bytes") == 68719476736.0);
    assert_string_equal(text_of(item(object, "toolchain"), "hip"), "5.2.21153");
    assert_string_equal(text_of(item(object, "toolchain"), "hiprtc"), "hiprtc 5.2, comgr 2.4");
    assert_string_equal(text_of(item(object, "toolchain"), "kernels"), "0123456789abcdef");
    assert_int_equal(cJSON_GetArraySize(item(document, "problems")), 0);
    cJSON_Delete(document);
    assert_ok(ckt_store_finish_run(store, run, &error), error);
  }
  ckt_store_close(&store);
  free(path);
}

static void record_some_of_every_status(struct ckt_store *store, int64_t run) {
  for (int status = 0; status < CKT_STATUS_COUNT; status++) {
    struct ckt_measurement measurement = fixture_status((enum ckt_pair_status)status, "why");
    if (status == CKT_MEASURED)
      measurement = fixture_measured(0.5);
    if (status == CKT_WRONG_RESULT)
      measurement.error_ratio = INFINITY;
    fixture_record(store, run, 64, CKT_STATUS_COUNT - status, &measurement);
  }
  const struct ckt_measurement fast = fixture_measured(0.1);
  fixture_record(store, run, 64, 90, &fast);
  fixture_record(store, run, 64, 80, &fast); /* a tie, settled by the key */
}

static void ranks_and_counts(void **state) {
  char *path = fixture_path(state, "store.db");
  struct ckt_store *store = fixture_open(path);
  const int64_t run = fixture_begin(store, "a", false, NULL);
  record_some_of_every_status(store, run);
  const struct ckt_document_problem known = {
      .problem = fixture_problem(64), .listed = CKT_STATUS_COUNT + 5, .resumed = 4};
  cJSON *document = build(store, run, &known, 1, false);
  const cJSON *problem = cJSON_GetArrayItem(item(document, "problems"), 0);
  char key[CKT_PROBLEM_KEY_MAX];
  ckt_problem_key(&known.problem, key);
  assert_string_equal(text_of(problem, "key"), key);
  assert_true(number_of(problem, "flops") == (double)ckt_problem_flops(&known.problem));
  assert_string_equal(text_of(problem, "status"), "ok");
  assert_counts(problem, CKT_STATUS_COUNT + 5, 7, 4); /* 3 measured, wrong_result, run_* */
  assert_true(number_of(item(problem, "counts"), "not_reached") == 3);
  assert_true(number_of(item(problem, "counts"), "measured") == 3);

  const cJSON *candidates = item(problem, "candidates");
  assert_int_equal(cJSON_GetArraySize(candidates), CKT_STATUS_COUNT + 2);
  const cJSON *first = cJSON_GetArrayItem(candidates, 0);
  const cJSON *second = cJSON_GetArrayItem(candidates, 1);
  assert_true(number_of(first, "time_ms") == 0.1 && number_of(second, "time_ms") == 0.1);
  assert_true(strcmp(text_of(first, "key"), text_of(second, "key")) < 0);
  assert_true(number_of(cJSON_GetArrayItem(candidates, 2), "time_ms") == 0.5);
  double id = -1;
  for (int i = 3; i < cJSON_GetArraySize(candidates); i++) {
    const cJSON *candidate = cJSON_GetArrayItem(candidates, i);
    assert_true(number_of(candidate, "id") > id);
    id = number_of(candidate, "id");
    assert_string_equal(text_of(candidate, "reason"), "why");
    if (strcmp(text_of(candidate, "status"), "wrong_result") == 0)
      assert_string_equal(text_of(candidate, "error_ratio"), "inf");
  }

  const cJSON *best = item(problem, "best");
  assert_string_equal(text_of(best, "key"), text_of(first, "key"));
  assert_string_equal(text_of(best, "instance"), text_of(first, "instance"));
  assert_string_equal(text_of(best, "line"), text_of(first, "line"));
  assert_true(number_of(best, "time_ms") == 0.1);
  assert_true(number_of(best, "tflops") == 10);
  assert_true(number_of(best, "gbps") == 20);
  assert_true(number_of(best, "samples") == 1);
  assert_string_equal(text_of(best, "timer"), "model");
  cJSON_Delete(document);
  ckt_store_close(&store);
  free(path);
}

/* A time by another method is shown behind those that are ranked, however small it is. */
static void ranks_one_method_only(void **state) {
  char *path = fixture_path(state, "store.db");
  struct ckt_store *store = fixture_open(path);
  const int64_t run = fixture_begin(store, "a", false, NULL);
  struct ckt_measurement batch = fixture_measured(1), ext = fixture_measured(2);
  batch.method = CKT_METHOD_BATCH;
  ext.method = CKT_METHOD_EXT;
  fixture_record(store, run, 64, 0, &batch);
  fixture_record(store, run, 64, 1, &ext);
  cJSON *document = build(store, run, NULL, 0, false);
  const cJSON *problem = cJSON_GetArrayItem(item(document, "problems"), 0);
  assert_true(number_of(item(problem, "best"), "time_ms") == 2);
  const cJSON *candidates = item(problem, "candidates");
  assert_string_equal(text_of(cJSON_GetArrayItem(candidates, 0), "method"), "ext");
  assert_string_equal(text_of(cJSON_GetArrayItem(candidates, 1), "method"), "batch");
  cJSON_Delete(document);
  ckt_store_close(&store);
  free(path);
}

/* Problems in the order that was asked for; one without a best; one without a record. */
static void keeps_the_order_of_problems(void **state) {
  char *path = fixture_path(state, "store.db");
  struct ckt_store *store = fixture_open(path);
  const int64_t run = fixture_begin(store, "a", false, NULL);
  const struct ckt_measurement measured = fixture_measured(1);
  const struct ckt_measurement failed = fixture_status(CKT_COMPILE_FAILED, "no such thing");
  fixture_record(store, run, 64, 0, &measured);
  fixture_record(store, run, 32, 0, &failed);
  fixture_record(store, run, 64, 1, &failed);
  const struct ckt_document_problem known[] = {
      {.problem = fixture_problem(16), .listed = 0},
      {.problem = fixture_problem(32), .listed = 1},
      {.problem = fixture_problem(64), .listed = 2, .resumed = 1},
  };
  cJSON *document = build(store, run, known, 3, false);
  const cJSON *problems = item(document, "problems");
  assert_int_equal(cJSON_GetArraySize(problems), 3);
  for (int i = 0; i < 3; i++) {
    const cJSON *problem = cJSON_GetArrayItem(problems, i);
    char key[CKT_PROBLEM_KEY_MAX];
    ckt_problem_key(&known[i].problem, key);
    assert_string_equal(text_of(problem, "key"), key);
    assert_string_equal(text_of(problem, "status"), i == 2 ? "ok" : "no_instance");
    assert_int_equal(cJSON_IsNull(item(problem, "best")), i != 2);
    assert_counts(problem, i, i == 2 ? 1 : 0, i == 2 ? 1 : 0);
  }
  cJSON_Delete(document);

  document = build(store, run, NULL, 0, false); /* in the order of recording */
  problems = item(document, "problems");
  assert_int_equal(cJSON_GetArraySize(problems), 2);
  assert_counts(cJSON_GetArrayItem(problems, 0), 2, 1, 0);
  assert_counts(cJSON_GetArrayItem(problems, 1), 1, 0, 0);
  cJSON_Delete(document);
  ckt_store_close(&store);
  free(path);
}

static void refuses_a_run_that_is_not_there(void **state) {
  char *path = fixture_path(state, "store.db");
  struct ckt_store *store = fixture_open(path);
  struct ckt_error error = {0};
  struct ckt_text text = {0};
  assert_int_equal(ckt_document_build(store, 9, NULL, 0, false, &text, &error), CKT_E_INPUT);
  assert_contains(error.text, "run 9");
  assert_int_equal(text.length, 0);
  ckt_store_close(&store);
  free(path);
}

#define FOLDER_TEST(name) cmocka_unit_test_setup_teardown(name, fixture_folder_make, fixture_folder_remove)

int main(void) {
  const struct CMUnitTest tests[] = {
      FOLDER_TEST(describes_the_run),
      FOLDER_TEST(ranks_and_counts),
      FOLDER_TEST(ranks_one_method_only),
      FOLDER_TEST(keeps_the_order_of_problems),
      FOLDER_TEST(refuses_a_run_that_is_not_there),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
