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

/* --- lines of our own making --- */

/* What differs from a plain line; NULL: as usual. */
struct odd {
  enum ckt_direction direction;
  const char *name, *specialization, *block, *tile_m, *tile_k, *k1, *xdl_m, *repeat_m, *vector_a, *scheduler,
      *version, *direct, *merge;
};

static const char * or (const char *value, const char *usual) {
  return value != NULL ? value : usual;
}

/* Forward V3, backward weight two stage, or backward data. */
static struct ckt_text odd_line(const struct odd *o) {
  static const char *const names[] = {"Device_Xdl_CShuffle_V3", "DeviceData_Xdl_CShuffle", "DeviceTwoStage"};
  struct ckt_text line = {0};
  const char *spec = or (o->specialization, "Default"), *block = or (o->block, "256"), *k1 = or (o->k1, "8");
  const char *tile_m = or (o->tile_m, "128"), *tile_k = or (o->tile_k, "32"), *xdl = or (o->xdl_m, "32");
  const char *repeat = or (o->repeat_m, "2"), *vector = or (o->vector_a, "8"),
             *scheduler = or (o->scheduler, "Intrawave");
  const char *version = or (o->version, "v3"), *direct = or (o->direct, "false"), *merge = or (o->merge, "1");
  ckt_text_printf(&line, "%s<2,L,L,L,", or (o->name, names[o->direction]));
  if (o->direction == CKT_FORWARD)
    ckt_text_printf(
        &line,
        "L,t,t,t,t,t,t,o,o,o,%s,pad,%s,%s,128,%s,%s,8,%s,32,%s,2,s,o,o,2,%s,8,0,s,o,o,2,4,8,0,1,1,s,2,%s,%s,"
        "t,t,%s,%s>",
        spec, block, tile_m, tile_k, k1, xdl, repeat, vector, scheduler, version, direct, merge);
  else if (o->direction == CKT_BACKWARD_WEIGHT)
    ckt_text_printf(
        &line,
        "t,t,t,t,o,o,o,%s,%s,%s,128,%s,%s,%s,32,%s,2,s,o,o,2,%s,8,0,s,o,o,2,4,8,0,1,1,s,2,%s,%s,%s,t,t,1,1>",
        spec, block, tile_m, tile_k, k1, xdl, repeat, vector, scheduler, version, merge);
  else
    ckt_text_printf(
        &line,
        "L,t,t,t,t,t,o,o,o,%s,1,1,1,%s,%s,128,%s,%s,%s,%s,32,%s,2,s,o,o,2,%s,8,0,s,o,o,2,4,8,0,1,1,s,2,1,%s,"
        "t,t,1,1>",
        spec, block, tile_m, tile_k, k1, k1, xdl, repeat, vector, scheduler);
  return line;
}

/* The record of one line; `said` is part of it. */
static void assert_says(const struct odd *o, const char *said) {
  const struct ckt_outcome_request request = {
      .rules = CKT_RULES_SEED, .kind = {o->direction, CKT_FP16, 2}, .problem_name = "p"};
  struct ckt_text line = odd_line(o), record = {0};
  const struct scratch_file file = scratch_file(ckt_text_string(&line), line.length);
  struct ckt_outcome_list list;
  struct ckt_error error = {0};
  assert_int_equal(ckt_outcomes_read(file.path, &request, &list, &error), CKT_OK);
  assert_int_equal(list.count, 1);
  ckt_outcome_json(&list.items[0], CKT_RULES_SEED, &record);
  assert_contains(ckt_text_string(&record), said);
  ckt_outcomes_free(&list);
  unlink(file.path);
  ckt_text_free(&line);
  ckt_text_free(&record);
}

static void odd_lines_are_read_as_the_generator_reads_them(void **state) {
  (void)state;
  static const struct {
    struct odd line;
    const char *said;
  } cases[] = {
      {{.direction = CKT_FORWARD},
       "\"tile\": [128, 128, 32], \"warps\": [2, 2, 1], \"warp_tile\": [32, 32, 8]"},
      /* quotients of doubles, without their fraction */
      {{CKT_FORWARD, .tile_m = "200"}, "\"warps\": [3, 2, 0]"},
      {{CKT_FORWARD, .tile_m = "-128", .block = "512"}, "\"warps\": [-2, 2, -2]"},
      {{CKT_FORWARD, .tile_m = "63"}, "\"ZeroDivisionError\""},
      {{CKT_FORWARD, .repeat_m = "0"}, "\"ZeroDivisionError\""},
      {{CKT_FORWARD, .block = "100000000000000000000"}, "\"warps\": [2, 2, 390625000000000000]"},
      {{CKT_FORWARD, .tile_m = "9007199254740993", .repeat_m = "1", .xdl_m = "1"},
       "\"RuntimeError\", \"reason\": \"Not supported\""},
      {{CKT_FORWARD, .tile_k = "123456789012345678901234567890"},
       "\"tile\": [128, 128, 123456789012345678901234567890]"},
      {{CKT_FORWARD, .k1 = "99999999999999999999"}, "\"warp_tile\": [32, 32, 99999999999999999999]"},
      {{CKT_FORWARD, .k1 = "-5"}, "\"warp_tile\": [32, 32, 8]"},
      /* which check comes first */
      {{CKT_FORWARD, .tile_m = "x", .direct = "true"}, "\"ValueError\""},
      {{CKT_FORWARD, .direct = "true", .repeat_m = "0"},
       "\"reason\": \"v3 not supported pipeline for direct load\""},
      {{CKT_FORWARD, .specialization = "Filter7x7", .version = "v5"},
       "\"skipped\", \"reason\": \"Skipping instance 0 with V5 "},
      {{CKT_FORWARD, .name = "DeviceLarge_Tensor_Xdl_CShuffle_V3", .version = "v5"},
       "instance 0 with split_image since"},
      {{CKT_FORWARD, .specialization = "Filter7x7"}, "\"stage\": \"generate\""},
      /* words */
      {{CKT_FORWARD, .version = "any Text"}, "\"pipeline\": \"ANY TEXT\""},
      {{CKT_FORWARD, .version = "v\xc3\xa9\xce\xbb\xc3\x9f\xf0\x90\x90\xa8"},
       "\"pipeline\": \"V\xc3\x89\xce\x9bSS\xf0\x90\x90\x80\""},
      {{CKT_FORWARD, .version = "v1", .direct = "true"}, "\"pipeline\": \"ASYNC_V1\""},
      {{CKT_FORWARD, .version = "v4", .direct = "true"}, "instance 0 with ASYNC_V4 since"},
      {{CKT_FORWARD, .version = "async_v4"}, "instance 0 with ASYNC_V4 since"},
      {{CKT_FORWARD, .version = "v4"}, "\"double_smem_buffer\": true"},
      {{CKT_FORWARD, .version = "V4"},
       "\"double_smem_buffer\": false, \"num_wave_groups\": 1, \"pipeline\": \"V4\""},
      {{CKT_FORWARD, .scheduler = "xIntrawavex"}, "\"INTRAWAVE\""},
      {{CKT_FORWARD, .scheduler = "Whatever"}, "\"INTERWAVE\""},
      {{CKT_FORWARD, .merge = "12345678901234567890"}, "\"num_groups_to_merge\": 12345678901234567890"},
      {{CKT_FORWARD, .vector_a = "3"}, "\"vector\": [3, 4, 2]"},
      /* backward weight */
      {{.direction = CKT_BACKWARD_WEIGHT},
       "\"pipeline\": \"V3\", \"scheduler\": \"INTRAWAVE\", \"vector\": [8, 4, 2], "
       "\"num_groups_to_merge\": 1, \"split_image\": false, \"explicit_gemm\": false, \"two_stage\": true"},
      {{CKT_BACKWARD_WEIGHT, .merge = "01"}, "\"num_groups_to_merge\": \"01\""},
      {{CKT_BACKWARD_WEIGHT, .merge = "all"}, "\"num_groups_to_merge\": \"all\""},
      {{CKT_BACKWARD_WEIGHT, .name = "DeviceLargeTwoStage"}, "\"split_image\": true"},
      {{CKT_BACKWARD_WEIGHT, .vector_a = "3", .version = "v5"}, "instance 0 with irregular load since"},
      {{CKT_BACKWARD_WEIGHT, .vector_a = "-1"}, "instance 0 with irregular load since"},
      {{CKT_BACKWARD_WEIGHT, .version = "v5"}, "instance 0 with V6 since"},
      {{CKT_BACKWARD_WEIGHT, .version = "V3"},
       "\"Invalid Block GEMM pipeline version: V3 in instance: DeviceTwoStage<"},
      {{CKT_BACKWARD_WEIGHT, .scheduler = "Default", .version = "V3"},
       "\"Invalid Block GEMM pipeline scheduler: Default in "},
      /* backward data: vectors are capped by what the threads of a block have to read */
      {{.direction = CKT_BACKWARD_DATA}, "\"vector\": [1, 1, 2]"},
      {{CKT_BACKWARD_DATA, .block = "64", .k1 = "16"}, "\"vector\": [8, 4, 2]"},
      {{CKT_BACKWARD_DATA, .block = "64"},
       "\"warps\": [2, 2, 0], \"warp_tile\": [32, 32, 8], \"double_smem_buffer\": false, "
       "\"num_wave_groups\": 1, \"pipeline\": \"V1\", \"scheduler\": \"INTRAWAVE\", "
       "\"vector\": [4, 4, 2]"},
      {{CKT_BACKWARD_DATA, .block = "-64"}, "\"vector\": [1, 1, 2]"},
      {{CKT_BACKWARD_DATA, .block = "0"}, "\"ZeroDivisionError\""},
      {{CKT_BACKWARD_DATA, .vector_a = "-8"}, "\"vector\": [-8, 1, 2]"},
      {{CKT_BACKWARD_DATA, .scheduler = "Default"}, "\"INTRAWAVE\""},
      {{CKT_BACKWARD_DATA, .scheduler = "Interwave"}, "\"INTERWAVE\""},
      {{CKT_BACKWARD_DATA, .name = "DeviceData"},
       "\"Only V1 XDL CShuffle instances are supported for backward data. Found "},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_says(&cases[i].line, cases[i].said);
}

/* A fault of one line hides no other; bytes that are no UTF-8, NUL, a line without an end. */
static void every_line_is_told(void **state) {
  (void)state;
  static const char content[] = "nothing\n\r\n\xef\xbb\xbf<\ra ; b\n\xff # off\n>\0<";
  static const struct {
    enum ckt_outcome_status status;
    size_t column;
    const char *type;
  } expected[] = {
      {CKT_OUTCOME_ERROR, 1, "ValueError"},         {CKT_OUTCOME_ERROR, 1, "ValueError"},
      {CKT_OUTCOME_ERROR, 5, "ValueError"},         {CKT_OUTCOME_COMMENT, 0, NULL},
      {CKT_OUTCOME_ERROR, 1, "UnicodeDecodeError"}, {CKT_OUTCOME_ERROR, 1, "ValueError"},
  };
  enum { LINES = sizeof expected / sizeof *expected };
  const struct ckt_outcome_request request = {.rules = CKT_RULES_SEED, .kind = defaults_of(CKT_FP16)};
  const struct scratch_file file = scratch_file(content, sizeof content - 1);
  struct ckt_outcome_list list;
  struct ckt_error error = {0};
  struct ckt_text report = {0};
  assert_int_equal(ckt_outcomes_read(file.path, &request, &list, &error), CKT_OK);
  assert_int_equal(list.count, LINES);
  for (size_t i = 0; i < LINES; i++) {
    assert_int_equal(list.items[i].status, expected[i].status);
    if (expected[i].type == NULL)
      continue;
    assert_int_equal(list.items[i].column, expected[i].column);
    assert_string_equal(list.items[i].error_type, expected[i].type);
  }
  ckt_outcomes_report(&list, &report);
  assert_contains(ckt_text_string(&report), ":3:5: the instance has no '>'");
  assert_contains(ckt_text_string(&report), ":5:1: the line is not UTF-8 text");
  ckt_text_free(&report);
  ckt_outcomes_free(&list);
  unlink(file.path);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(golden_lists_give_the_recorded_lines),
      cmocka_unit_test(golden_errors_give_the_recorded_errors),
      cmocka_unit_test(odd_lines_are_read_as_the_generator_reads_them),
      cmocka_unit_test(every_line_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
