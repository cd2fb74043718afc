/* Lines by the rules of Composable Kernel's generator: every record of the shared data, key by key, with the words of
 * its own exceptions; and lines of our own making for what those lists do not show, with answers worked out by hand
 * from the rules (and held against Python's arithmetic): numbers without limit, odd spellings, which check comes
 * first. */
#include <cjson/cJSON.h>

#include "gen/outcome_json.h"
#include "gen_test.h"

/* --- the shared data --- */

/* Python's own words need not be ours. */
static bool is_pythons(const cJSON *record) {
  static const char *const types[] = {"ValueError", "IndexError", "ZeroDivisionError"};
  const char *type = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(record, "error"));
  for (size_t i = 0; type != NULL && i < sizeof types / sizeof *types; i++)
    if (strcmp(type, types[i]) == 0)
      return true;
  return false;
}

static void assert_record(const char *path, struct ckt_span expected,
                          const struct ckt_line_outcome *outcome) {
  struct ckt_text text = {0};
  ckt_outcome_json(outcome, CKT_RULES_SEED, &text);
  cJSON *wanted = cJSON_ParseWithLength(expected.text, expected.length);
  cJSON *found = cJSON_Parse(ckt_text_string(&text));
  assert_non_null(wanted);
  assert_non_null(found);
  assert_int_equal(is_pythons(wanted), is_pythons(found));
  if (is_pythons(wanted)) {
    assert_true(strlen(cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(found, "reason"))) > 10);
    cJSON_DeleteItemFromObjectCaseSensitive(wanted, "reason");
    cJSON_DeleteItemFromObjectCaseSensitive(found, "reason");
  }
  if (!cJSON_Compare(wanted, found, true))
    fail_msg("%s: %.*s expected, not %s", path, (int)expected.length, expected.text, ckt_text_string(&text));
  cJSON_Delete(wanted);
  cJSON_Delete(found);
  ckt_text_free(&text);
}

static void check_list(const char *conf, const char *jsonl, const struct ckt_problem_defaults *kind,
                       size_t counts[CKT_OUTCOME_STATUS_COUNT]) {
  const struct ckt_outcome_request request = {.rules = CKT_RULES_SEED, .kind = *kind};
  struct ckt_outcome_list list;
  struct ckt_text records = {0};
  struct ckt_error error = {0};
  const int status = ckt_file_read(jsonl, &records, NULL);
  if (status != CKT_OK || ckt_outcomes_read(conf, &request, &list, &error) != CKT_OK) {
    ckt_text_free(&records);
    skip();
  }
  struct ckt_span rest = {ckt_text_string(&records), records.length}, record;
  for (size_t i = 0; i < list.count; i++) {
    assert_true(ckt_span_cut_line(&rest, &record));
    assert_record(conf, record, &list.items[i]);
  }
  assert_false(ckt_span_cut_line(&rest, &record));
  for (size_t i = 0; i < CKT_OUTCOME_STATUS_COUNT; i++)
    counts[i] += list.counts[i];
  ckt_outcomes_free(&list);
  ckt_text_free(&records);
}

static void check_mode(const char *mode, size_t counts[CKT_OUTCOME_STATUS_COUNT]) {
  for (int direction = 0; direction < 3; direction++)
    for (int dtype = 0; dtype < 3; dtype++)
      for (int spatial = 2; spatial <= 3; spatial++) {
        const struct ckt_problem_defaults kind = {(enum ckt_direction)direction, (enum ckt_dtype)dtype,
                                                  spatial};
        const char *word = ckt_direction_word(kind.direction), *type = ckt_dtype_word(kind.dtype);
        char conf[512], jsonl[512];
        snprintf(conf, sizeof conf, "%s/ck/configs/%s/%s/%s_%s.conf", CKT_SHARED_DIR, word, mode,
                 ckt_layout_word(spatial), type);
        snprintf(jsonl, sizeof jsonl, "%s/ck/golden/%s_%s_%s_%s.jsonl", CKT_SHARED_DIR, word, mode,
                 ckt_layout_word(spatial), type);
        check_list(conf, jsonl, &kind, counts);
      }
}

static void golden_lists_give_the_recorded_lines(void **state) {
  (void)state;
  size_t profiler[CKT_OUTCOME_STATUS_COUNT] = {0}, tests[CKT_OUTCOME_STATUS_COUNT] = {0};
  check_mode("profiler", profiler);
  check_mode("tests", tests);
  /* the table in the data's README */
  assert_int_equal(profiler[CKT_OUTCOME_INSTANCE], 2016);
  assert_int_equal(profiler[CKT_OUTCOME_SKIPPED], 183);
  assert_int_equal(tests[CKT_OUTCOME_INSTANCE], 521);
  assert_int_equal(tests[CKT_OUTCOME_SKIPPED], 94);
  assert_int_equal(tests[CKT_OUTCOME_COMMENT], 18);
}

static void golden_errors_give_the_recorded_errors(void **state) {
  (void)state;
  size_t counts[CKT_OUTCOME_STATUS_COUNT] = {0};
  for (int direction = 0; direction < 3; direction++) {
    const struct ckt_problem_defaults kind = {(enum ckt_direction)direction, CKT_FP16, 2};
    char conf[512], jsonl[512];
    snprintf(conf, sizeof conf, "%s/ck/errors/%s_nhwgc_fp16.conf", CKT_SHARED_DIR,
             ckt_direction_word(kind.direction));
    snprintf(jsonl, sizeof jsonl, "%s/ck/errors/%s_nhwgc_fp16.jsonl", CKT_SHARED_DIR,
             ckt_direction_word(kind.direction));
    check_list(conf, jsonl, &kind, counts);
  }
  assert_int_equal(counts[CKT_OUTCOME_INSTANCE], 3);
  assert_int_equal(counts[CKT_OUTCOME_ERROR], 6 + 7 + 8);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(golden_lists_give_the_recorded_lines),
      cmocka_unit_test(golden_errors_give_the_recorded_errors),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
