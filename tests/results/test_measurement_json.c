/* A measurement as JSON: every field comes back to the last bit; what JSON cannot hold (Inf, NaN) survives in
 * error_ratio and is refused elsewhere; missing, wrong and out-of-range fields are named. */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "results/json_number.h"
#include "results/measurement_json.h"

static struct ckt_measurement full(void) {
  return (struct ckt_measurement){.status = CKT_WRONG_RESULT,
                                  .reason = "line 1\nline 2 \"quoted\" \\ d\xc3\xa9",
                                  .time_ms = 0.1,
                                  .time_min_ms = 1.0 / 3,
                                  .time_max_ms = 1.7976931348623157e308,
                                  .time_stddev_ms = 5e-324,
                                  .samples = (int64_t)1 << 53,
                                  .samples_dropped = 2,
                                  .simulated = true,
                                  .method = CKT_METHOD_EXT,
                                  .tflops = 0.1 + 0.2,
                                  .gbps = 123456789.123456789,
                                  .error_ratio = 0.3,
                                  .wrong_elements = 3,
                                  .worst_index = -1,
                                  .vgprs = 4,
                                  .agprs = 5,
                                  .sgprs = 6,
                                  .lds_bytes = 7,
                                  .scratch_bytes = 8,
                                  .workgroups_per_cu = 9,
                                  .compile_seconds = -0.0,
                                  .run_seconds = 2.5,
                                  .launch_seconds = 1.25};
}

static char *written(const struct ckt_measurement *measurement) {
  struct ckt_error error = {0};
  cJSON *object = cJSON_CreateObject();
  assert_ok(ckt_measurement_to_json(measurement, object, &error), error);
  char *text = cJSON_PrintUnformatted(object);
  assert_non_null(text);
  cJSON_Delete(object);
  return text;
}

static int read_back(const char *text, struct ckt_measurement *measurement, struct ckt_error *error) {
  cJSON *object = cJSON_Parse(text);
  const int status = ckt_measurement_from_json(object, measurement, error);
  cJSON_Delete(object);
  return status;
}

static bool same_bits(double a, double b) {
  return memcmp(&a, &b, sizeof a) == 0;
}

static void assert_same(const struct ckt_measurement *a, const struct ckt_measurement *b) {
  assert_int_equal(a->status, b->status);
  assert_string_equal(a->reason, b->reason);
  assert_int_equal(a->simulated, b->simulated);
  assert_int_equal(a->method, b->method);
  assert_true(same_bits(a->error_ratio, b->error_ratio));
  assert_true(same_bits(a->time_ms, b->time_ms));
  assert_true(same_bits(a->time_min_ms, b->time_min_ms));
  assert_true(same_bits(a->time_max_ms, b->time_max_ms));
  assert_true(same_bits(a->time_stddev_ms, b->time_stddev_ms));
  assert_true(same_bits(a->tflops, b->tflops));
  assert_true(same_bits(a->gbps, b->gbps));
  assert_true(same_bits(a->compile_seconds, b->compile_seconds));
  assert_true(same_bits(a->run_seconds, b->run_seconds));
  assert_true(same_bits(a->launch_seconds, b->launch_seconds));
  assert_int_equal(a->samples, b->samples);
  assert_int_equal(a->samples_dropped, b->samples_dropped);
  assert_int_equal(a->wrong_elements, b->wrong_elements);
  assert_int_equal(a->worst_index, b->worst_index);
  assert_int_equal(a->vgprs, b->vgprs);
  assert_int_equal(a->agprs, b->agprs);
  assert_int_equal(a->sgprs, b->sgprs);
  assert_int_equal(a->lds_bytes, b->lds_bytes);
  assert_int_equal(a->scratch_bytes, b->scratch_bytes);
  assert_int_equal(a->workgroups_per_cu, b->workgroups_per_cu);
}

static void every_field_comes_back(void **state) {
  (void)state;
  const struct ckt_measurement before = full();
  char *text = written(&before);
  struct ckt_measurement after;
  struct ckt_error error = {0};
  assert_ok(read_back(text, &after, &error), error);
  assert_same(&before, &after);
  cJSON_free(text);
}

static void every_status_and_method_comes_back(void **state) {
  (void)state;
  struct ckt_error error = {0};
  for (int status = 0; status < CKT_STATUS_COUNT; status++)
    for (int method = CKT_METHOD_NONE; method <= CKT_METHOD_BATCH; method++) {
      struct ckt_measurement before = full();
      struct ckt_measurement after;
      before.status = (enum ckt_pair_status)status;
      before.method = (enum ckt_method)method;
      before.simulated = method % 2 == 0;
      char *text = written(&before);
      assert_ok(read_back(text, &after, &error), error);
      assert_same(&before, &after);
      cJSON_free(text);
    }
}

static void reads_an_object_just_written(void **state) {
  (void)state;
  struct ckt_error error = {0};
  const struct ckt_measurement before = full();
  struct ckt_measurement after;
  cJSON *object = cJSON_CreateObject();
  assert_ok(ckt_measurement_to_json(&before, object, &error), error);
  assert_ok(ckt_measurement_from_json(object, &after, &error), error);
  assert_same(&before, &after);
  cJSON_Delete(object);
}

static void numbers_are_short(void **state) {
  (void)state;
  static const struct {
    double value;
    const char *text;
  } rows[] = {{0.1, "0.1"},
              {2, "2"},
              {0.30000000000000004, "0.30000000000000004"},
              {1e22, "1e+22"},
              {0.0012, "0.0012"},
              {INFINITY, "\"inf\""},
              {-INFINITY, "\"-inf\""},
              {NAN, "\"nan\""}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    cJSON *object = cJSON_CreateObject();
    assert_true(ckt_json_add_f64(object, "v", rows[i].value));
    char *text = cJSON_PrintUnformatted(cJSON_GetObjectItem(object, "v"));
    assert_string_equal(text, rows[i].text);
    cJSON_free(text);
    cJSON_Delete(object);
  }
}

static void an_error_that_is_no_number_survives(void **state) {
  (void)state;
  struct ckt_error error = {0};
  const double values[] = {INFINITY, -INFINITY, NAN};
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
    struct ckt_measurement before = full();
    before.error_ratio = values[i];
    struct ckt_measurement after;
    char *text = written(&before);
    assert_ok(read_back(text, &after, &error), error);
    assert_int_equal(isnan(after.error_ratio), isnan(values[i]));
    assert_true(isnan(values[i]) || after.error_ratio == values[i]);
    cJSON_free(text);
  }
}

static void refuses_to_write_what_json_cannot_hold(void **state) {
  (void)state;
  struct ckt_error error = {0};
  struct ckt_measurement measurement = full();
  cJSON *object = cJSON_CreateObject();
  measurement.gbps = INFINITY;
  assert_int_equal(ckt_measurement_to_json(&measurement, object, &error), CKT_E_INTERNAL);
  assert_contains(error.text, "gbps");
  measurement = full();
  measurement.worst_index = ((int64_t)1 << 53) + 1;
  assert_int_equal(ckt_measurement_to_json(&measurement, object, &error), CKT_E_INTERNAL);
  assert_contains(error.text, "worst_index");
  cJSON_Delete(object);
}

static void a_reason_becomes_utf8(void **state) {
  (void)state;
  static const struct {
    const char *reason;
    const char *expected;
  } rows[] = {{"ok \xe2\x82\xac \xf0\x9f\x98\x80", "ok \xe2\x82\xac \xf0\x9f\x98\x80"},
              {"a\xff z", "a? z"},
              {"cut \xe2\x82", "cut ??"},
              {"cut \xf0\x9f\x98", "cut ???"},
              {"overlong \xc0\xaf", "overlong ??"},
              {"overlong \xe0\x80\xaf", "overlong ???"},
              {"surrogate \xed\xa0\x80", "surrogate ???"},
              {"large \xf4\x90\x80\x80", "large ????"},
              {"lone \x80", "lone ?"}};
  struct ckt_error error = {0};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct ckt_measurement measurement = full();
    snprintf(measurement.reason, sizeof measurement.reason, "%s", rows[i].reason);
    char *text = written(&measurement);
    assert_ok(read_back(text, &measurement, &error), error);
    assert_string_equal(measurement.reason, rows[i].expected);
    cJSON_free(text);
  }
}

/* --- strict reading --- */

static void names_the_missing_field(void **state) {
  (void)state;
  const struct ckt_measurement measurement = full();
  char *text = written(&measurement);
  cJSON *whole = cJSON_Parse(text);
  const int fields = cJSON_GetArraySize(whole);
  assert_int_equal(fields, 24);
  for (int i = 0; i < fields; i++) {
    cJSON *object = cJSON_Duplicate(whole, 1);
    cJSON *gone = cJSON_DetachItemFromArray(object, i);
    struct ckt_measurement after = {.samples = 77};
    struct ckt_error error = {0};
    assert_int_equal(ckt_measurement_from_json(object, &after, &error), CKT_E_INPUT);
    assert_contains(error.text, gone->string);
    assert_contains(error.text, "missing");
    assert_int_equal(after.samples, 77); /* untouched */
    cJSON_Delete(gone);
    cJSON_Delete(object);
  }
  cJSON_Delete(whole);
  cJSON_free(text);
}

static void names_the_wrong_field(void **state) {
  (void)state;
  static const struct {
    const char *field;
    const char *value;
  } rows[] = {{"status", "\"fine\""},  {"status", "1"},
              {"method", "\"guess\""}, {"timer", "\"clock\""},
              {"reason", "null"},      {"time_ms", "\"1\""},
              {"time_ms", "null"},     {"time_ms", "1e999"},
              {"tflops", "true"},      {"samples", "1.5"},
              {"samples", "1e17"},     {"samples", "-9007199254740994"},
              {"vgprs", "[1]"},        {"error_ratio", "\"big\""},
              {"error_ratio", "{}"},   {"run_seconds", "\"nan\""}};
  const struct ckt_measurement measurement = full();
  char *text = written(&measurement);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    cJSON *object = cJSON_Parse(text);
    cJSON *value = cJSON_Parse(rows[i].value);
    assert_non_null(value);
    assert_true(cJSON_ReplaceItemInObjectCaseSensitive(object, rows[i].field, value));
    struct ckt_measurement after;
    struct ckt_error error = {0};
    assert_int_equal(ckt_measurement_from_json(object, &after, &error), CKT_E_INPUT);
    assert_contains(error.text, rows[i].field);
    cJSON_Delete(object);
  }
  cJSON_free(text);
}

static void refuses_a_long_reason_and_other_kinds(void **state) {
  (void)state;
  struct ckt_error error = {0};
  struct ckt_measurement after;
  assert_int_equal(ckt_measurement_from_json(NULL, &after, &error), CKT_E_INPUT);
  assert_int_equal(read_back("[]", &after, &error), CKT_E_INPUT);
  assert_int_equal(read_back("7", &after, &error), CKT_E_INPUT);
  const struct ckt_measurement measurement = full();
  char *text = written(&measurement);
  cJSON *object = cJSON_Parse(text);
  char reason[CKT_MEASUREMENT_REASON_MAX + 1] = "";
  memset(reason, 'r', sizeof reason - 1);
  cJSON_ReplaceItemInObjectCaseSensitive(object, "reason", cJSON_CreateString(reason));
  assert_int_equal(ckt_measurement_from_json(object, &after, &error), CKT_E_INPUT);
  assert_contains(error.text, "768 bytes");
  reason[CKT_MEASUREMENT_REASON_MAX - 1] = '\0';
  cJSON_ReplaceItemInObjectCaseSensitive(object, "reason", cJSON_CreateString(reason));
  assert_ok(ckt_measurement_from_json(object, &after, &error), error);
  assert_string_equal(after.reason, reason);
  cJSON_Delete(object);
  cJSON_free(text);
}

static void leaves_other_fields_alone(void **state) {
  (void)state;
  const struct ckt_measurement before = full();
  struct ckt_measurement after;
  struct ckt_error error = {0};
  cJSON *object = cJSON_CreateObject();
  cJSON_AddStringToObject(object, "type", "done");
  assert_ok(ckt_measurement_to_json(&before, object, &error), error);
  assert_ok(ckt_measurement_from_json(object, &after, &error), error);
  assert_same(&before, &after);
  assert_string_equal(cJSON_GetObjectItem(object, "type")->valuestring, "done");
  cJSON_Delete(object);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_field_comes_back),
      cmocka_unit_test(every_status_and_method_comes_back),
      cmocka_unit_test(reads_an_object_just_written),
      cmocka_unit_test(numbers_are_short),
      cmocka_unit_test(an_error_that_is_no_number_survives),
      cmocka_unit_test(refuses_to_write_what_json_cannot_hold),
      cmocka_unit_test(a_reason_becomes_utf8),
      cmocka_unit_test(names_the_missing_field),
      cmocka_unit_test(names_the_wrong_field),
      cmocka_unit_test(refuses_a_long_reason_and_other_kinds),
      cmocka_unit_test(leaves_other_fields_alone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
