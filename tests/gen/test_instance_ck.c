/* Instance lines in Composable Kernel's notation by the hardware's rules: every list of the shared data, line by
 * line, against the recorded answers of CK's own generator; the faulty lines recorded with it; what our reader adds
 * (data type, dimensions and direction must agree with the list, every argument must be there, tiles must divide);
 * words and numbers in odd spellings; the keys of all lines read back. */
#include <cjson/cJSON.h>
#include <strings.h>

#include "gen/instance_reader.h"
#include "gen_test.h"

static const char *const specialization_enums[] = {
#define ROW(name, word, ck) ck,
    CKT_SPECIALIZATIONS(ROW)
#undef ROW
};

static int64_t whole(const cJSON *object, const char *key) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
  assert_true(cJSON_IsNumber(item));
  return (int64_t)item->valuedouble;
}

static const char *word(const cJSON *object, const char *key) {
  const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));
  if (text == NULL)
    fail_msg("no text \"%s\"", key);
  return text;
}

static bool truth(const cJSON *object, const char *key) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
  assert_true(cJSON_IsBool(item));
  return cJSON_IsTrue(item);
}

static void assert_triple(const cJSON *golden, const char *key, const int64_t values[3]) {
  const cJSON *array = cJSON_GetObjectItemCaseSensitive(golden, key);
  assert_int_equal(cJSON_GetArraySize(array), 3);
  for (int i = 0; i < 3; i++)
    assert_int_equal((int64_t)cJSON_GetArrayItem(array, i)->valuedouble, values[i]);
}

static void assert_instance(const cJSON *golden, const struct ckt_instance *instance) {
  assert_string_equal(word(golden, "specialization_enum"), specialization_enums[instance->specialization]);
  assert_triple(golden, "tile", instance->tile);
  assert_triple(golden, "warps", instance->warps);
  assert_triple(golden, "warp_tile", instance->warp_tile);
  if (instance->direction != CKT_BACKWARD_DATA) /* whose vectors the generator caps, and we take as stated */
    assert_triple(golden, "vector", instance->vector);
  assert_int_equal(strcasecmp(word(golden, "pipeline"), ckt_pipeline_word(instance->pipeline)), 0);
  assert_int_equal(strcasecmp(word(golden, "scheduler"), ckt_scheduler_word(instance->scheduler)), 0);
  assert_int_equal(truth(golden, "double_smem_buffer"), instance->double_smem_buffer);
  assert_int_equal(whole(golden, "num_wave_groups"), instance->num_wave_groups);
  assert_int_equal(whole(golden, "num_groups_to_merge"), instance->num_groups_to_merge);
  assert_int_equal(truth(golden, "split_image"), instance->split_image);
  assert_int_equal(truth(golden, "explicit_gemm"), instance->explicit_gemm);
  assert_int_equal(truth(golden, "two_stage"), instance->two_stage);
}

static bool is_irregular(int64_t vector) {
  return vector > 1 && vector % 2 == 1;
}

/* What CK's generator skips we read: the reason shows in the instance. */
static void assert_skipped(const cJSON *golden, const struct ckt_instance *instance) {
  const char *reason = word(golden, "reason");
  if (strstr(reason, "split_image") != NULL)
    assert_true(instance->split_image);
  else if (strstr(reason, "ASYNC_V4") != NULL)
    assert_int_equal(instance->pipeline, CKT_PIPELINE_ASYNC_V4);
  else if (strstr(reason, "V5") != NULL)
    assert_int_equal(instance->pipeline, CKT_PIPELINE_V5);
  else if (strstr(reason, "V6") != NULL)
    assert_int_equal(instance->pipeline, CKT_PIPELINE_V6);
  else if (strstr(reason, "irregular load") != NULL)
    assert_true(is_irregular(instance->vector[CKT_A]) || is_irregular(instance->vector[CKT_B]) ||
                is_irregular(instance->vector[CKT_C]));
  else
    fail_msg("unexpected reason %s", reason);
}

static void assert_key_reads_back(const struct ckt_instance *instance) {
  char key[CKT_INSTANCE_KEY_MAX], again[CKT_INSTANCE_KEY_MAX];
  struct ckt_instance copy;
  struct ckt_error error = {0};
  ckt_instance_key(instance, key);
  if (ckt_instance_parse(key, NULL, &copy, NULL, &error) != CKT_OK)
    fail_msg("%s: %s", key, error.text);
  ckt_instance_key(&copy, again);
  assert_string_equal(key, again);
}

struct counts {
  int instances, skipped, comments, errors;
};

static void check_line(struct ckt_span text, const cJSON *golden, const struct ckt_problem_defaults *defaults,
                       struct counts *counts) {
  const char *status = word(golden, "status");
  if (strcmp(status, "comment") == 0) {
    assert_int_equal(ckt_instance_line_kind(text), CKT_LINE_COMMENT);
    counts->comments++;
    return;
  }
  char *line = ckt_span_copy(text);
  assert_non_null(line);
  struct ckt_instance instance;
  struct ckt_error error = {0};
  const int read = ckt_instance_parse(line, defaults, &instance, NULL, &error);
  if (strcmp(status, "error") == 0) {
    assert_int_equal(read, CKT_E_INPUT);
    assert_true(strlen(error.text) > 20);
    counts->errors++;
  } else {
    if (read != CKT_OK)
      fail_msg("%s: %s", line, error.text);
    const bool skipped = strcmp(status, "skipped") == 0;
    (skipped ? assert_skipped : assert_instance)(golden, &instance);
    assert_key_reads_back(&instance);
    *(skipped ? &counts->skipped : &counts->instances) += 1;
  }
  free(line);
}

static void check_file(const char *conf, const char *jsonl, const struct ckt_problem_defaults *defaults,
                       struct counts *counts) {
  struct ckt_text lines = {0}, answers = {0};
  struct ckt_error error = {0};
  if (ckt_file_read(conf, &lines, &error) != CKT_OK || ckt_file_read(jsonl, &answers, &error) != CKT_OK) {
    ckt_text_free(&lines);
    skip();
  }
  struct ckt_span rest = {lines.data, lines.length}, records = {answers.data, answers.length}, line, record;
  while (ckt_span_cut_line(&rest, &line)) {
    assert_true(ckt_span_cut_line(&records, &record));
    cJSON *golden = cJSON_ParseWithLength(record.text, record.length);
    assert_non_null(golden);
    check_line(line, golden, defaults, counts);
    cJSON_Delete(golden);
  }
  assert_false(ckt_span_cut_line(&records, &record));
  ckt_text_free(&lines);
  ckt_text_free(&answers);
}

/* Both modes of one direction, data type and number of dimensions. */
static void check_kind(const struct ckt_problem_defaults *kind, struct counts *counts) {
  static const char *const modes[] = {"profiler", "tests"};
  const char *direction = ckt_direction_word(kind->direction), *type = ckt_dtype_word(kind->dtype);
  for (int mode = 0; mode < 2; mode++) {
    char conf[512], jsonl[512];
    snprintf(conf, sizeof conf, "%s/ck/configs/%s/%s/%s_%s.conf", CKT_SHARED_DIR, direction, modes[mode],
             ckt_layout_word(kind->spatial), type);
    snprintf(jsonl, sizeof jsonl, "%s/ck/golden/%s_%s_%s_%s.jsonl", CKT_SHARED_DIR, direction, modes[mode],
             ckt_layout_word(kind->spatial), type);
    check_file(conf, jsonl, kind, counts);
  }
}

static void golden_lists_give_the_recorded_instances(void **state) {
  (void)state;
  struct counts counts = {0};
  for (int direction = 0; direction < 3; direction++)
    for (int dtype = 0; dtype < 3; dtype++)
      for (int spatial = 2; spatial <= 3; spatial++) {
        const struct ckt_problem_defaults kind = {(enum ckt_direction)direction, (enum ckt_dtype)dtype,
                                                  spatial};
        check_kind(&kind, &counts);
      }
  /* sums of the table in the data's README */
  assert_int_equal(counts.instances, 2016 + 521);
  assert_int_equal(counts.skipped, 183 + 94);
  assert_int_equal(counts.comments, 18);
  assert_int_equal(counts.errors, 0);
}

static void golden_errors_are_errors(void **state) {
  (void)state;
  static const struct {
    enum ckt_direction direction;
    int errors;
  } files[] = {{CKT_FORWARD, 6}, {CKT_BACKWARD_WEIGHT, 7}, {CKT_BACKWARD_DATA, 8}};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    const struct ckt_problem_defaults kind = {files[i].direction, CKT_FP16, 2};
    struct counts counts = {0};
    char conf[512], jsonl[512];
    snprintf(conf, sizeof conf, "%s/ck/errors/%s_nhwgc_fp16.conf", CKT_SHARED_DIR,
             ckt_direction_word(kind.direction));
    snprintf(jsonl, sizeof jsonl, "%s/ck/errors/%s_nhwgc_fp16.jsonl", CKT_SHARED_DIR,
             ckt_direction_word(kind.direction));
    check_file(conf, jsonl, &kind, &counts);
    assert_int_equal(counts.instances, 1);
    assert_int_equal(counts.errors, files[i].errors);
  }
}

/* --- lines of our own making: 50 arguments of the V3 kind, of which some are given --- */

struct v3 {
  const char *name, *spatial, *dtype, *spec, *block, *tile_m, *xdl_m, *scheduler, *version, *direct, *merge;
};

static const struct v3 plain_v3 = {"DeviceGroupedConvFwdMultipleABD_Xdl_CShuffle_V3",
                                   "2",
                                   "fp16",
                                   "Default",
                                   "256",
                                   "128",
                                   "32",
                                   "Intrawave",
                                   "v3",
                                   "false",
                                   "1"};

static struct ckt_text v3_line(struct v3 v) {
  struct ckt_text line = {0};
  ckt_text_printf(&line,
                  "%s<%s,L,L,L,L,%s,t,t,t,t,t,op,op,op,%s,pad,%s,%s,128,32,8,8,%s,32,2,2,"
                  "Seq(4,64,1),o,o,2,8,8,0,Seq(4,64,1),o,o,2,4,8,0,1,1,Seq(1,32,1,8),2,%s,%s,t,t,%s,%s>",
                  v.name, v.spatial, v.dtype, v.spec, v.block, v.tile_m, v.xdl_m, v.scheduler, v.version,
                  v.direct, v.merge);
  return line;
}

static int parse_v3(struct v3 v, struct ckt_instance *instance, struct ckt_error *error) {
  const struct ckt_problem_defaults defaults = defaults_of(CKT_FP16);
  struct ckt_text line = v3_line(v);
  const int status = ckt_instance_parse(ckt_text_string(&line), &defaults, instance, NULL, error);
  ckt_text_free(&line);
  return status;
}

static void v3_words_select_pipeline_and_scheduler(void **state) {
  (void)state;
  static const struct {
    const char *scheduler, *version, *direct;
    enum ckt_scheduler expected_scheduler;
    enum ckt_pipeline expected_pipeline;
    bool twice;
  } cases[] = {
      {"Intrawave", "v1", "false", CKT_INTRAWAVE, CKT_PIPELINE_V1, false},
      {"Interwave", "v2", "false", CKT_INTERWAVE, CKT_PIPELINE_V2, false},
      {"Intrawave", "v4", "false", CKT_INTRAWAVE, CKT_PIPELINE_V4, true},
      {"Intrawave", "v5", "false", CKT_INTRAWAVE, CKT_PIPELINE_V5, false},
      {"Intrawave", "v1", "true", CKT_INTRAWAVE, CKT_PIPELINE_ASYNC_V1, false},
      {"Intrawave", "v4", "true", CKT_INTRAWAVE, CKT_PIPELINE_ASYNC_V4, true},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct v3 v = plain_v3;
    v.scheduler = cases[i].scheduler;
    v.version = cases[i].version;
    v.direct = cases[i].direct;
    struct ckt_instance instance;
    struct ckt_error error = {0};
    assert_int_equal(parse_v3(v, &instance, &error), CKT_OK);
    assert_int_equal(instance.scheduler, cases[i].expected_scheduler);
    assert_int_equal(instance.pipeline, cases[i].expected_pipeline);
    assert_int_equal(instance.double_smem_buffer, cases[i].twice);
    assert_int_equal(instance.vector[CKT_A], 8);
    assert_int_equal(instance.vector[CKT_B], 4);
    assert_int_equal(instance.vector[CKT_C], 2);
  }
}

static void numbers_are_read_as_python_reads_them(void **state) {
  (void)state;
  static const char *const good[] = {"256",
                                     "+256",
                                     "0256",
                                     "2_5_6",
                                     " 256\t",
                                     "\xc2\xa0"
                                     "256",
                                     "\xd9\xa2\xd9\xa5\xd9\xa6" /* Arabic-Indic digits */};
  static const char *const bad[] = {"",      "2__56", "_256",  "256_", "2 56",
                                    "0x100", "256.0", "- 256", "many", "+"};
  struct ckt_instance instance;
  struct ckt_error error = {0};
  struct v3 v = plain_v3;
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    v.block = good[i];
    if (parse_v3(v, &instance, &error) != CKT_OK)
      fail_msg("\"%s\": %s", good[i], error.text);
    assert_int_equal(instance.block_size, 256);
  }
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    v.block = bad[i];
    assert_int_equal(parse_v3(v, &instance, &error), CKT_E_INPUT);
    assert_contains(error.text, "argument 16 (block size)");
  }
  v.block = "99999999999999999999999999";
  assert_int_equal(parse_v3(v, &instance, &error), CKT_E_INPUT);
  assert_contains(error.text, "too large");
}

/* 64 threads cannot hold 2x2 waves: no wave is left for K, which is an instance all the same. */
static void waves_along_k_may_come_out_as_0(void **state) {
  (void)state;
  struct v3 v = plain_v3;
  struct ckt_instance instance;
  struct ckt_error error = {0};
  v.block = "64";
  assert_int_equal(parse_v3(v, &instance, &error), CKT_OK);
  assert_int_equal(instance.warps[CKT_M], 2);
  assert_int_equal(instance.warps[CKT_K], 0);
  assert_key_reads_back(&instance);
}

static void faults_are_named(void **state) {
  (void)state;
  struct ckt_instance instance;
  struct ckt_error error = {0};
#define FAULT(member, value, ...)                                                                            \
  do {                                                                                                       \
    struct v3 v = plain_v3;                                                                                  \
    static const char *const said[] = {__VA_ARGS__};                                                         \
    v.member = value;                                                                                        \
    assert_int_equal(parse_v3(v, &instance, &error), CKT_E_INPUT);                                           \
    for (size_t i = 0; i < sizeof said / sizeof *said; i++)                                                  \
      assert_contains(error.text, said[i]);                                                                  \
  } while (0)
  FAULT(dtype, "bf16", "\"bf16\"", "read as fp16");
  FAULT(spatial, "3", "3 spatial dimensions", "read as 2");
  FAULT(name, "DeviceGroupedConvBwdWeight_Xdl_CShuffleV3", "backward_weight", "read as forward");
  FAULT(spec, "Filter7x7", "\"Filter7x7\"", "Filter3x3");
  FAULT(spec, "Filter3X3", "\"Filter3X3\"");
  FAULT(xdl_m, "16", "M per XDL is 16", "N per XDL is 32");
  FAULT(tile_m, "0", "M per block", "\"0\"", "1 or more");
  FAULT(tile_m, "-64", "M per block", "\"-64\"", "1 or more");
  FAULT(tile_m, "96", "M per block", "96", "a multiple of 64");
  FAULT(version, "v9", "\"v9\"", "v1, v2, v3, v4 or v5");
  FAULT(version, "V4", "\"V4\"", "v1, v2, v3, v4 or v5");
  FAULT(version, "wavelet", "\"wavelet\"");
  FAULT(version, "", "pipeline version");
  FAULT(scheduler, "Whatever", "\"Whatever\"", "Intrawave or Interwave");
  FAULT(scheduler, "xIntrawave", "\"xIntrawave\"");
  FAULT(direct, "no", "direct load is \"no\"", "true or false");
  FAULT(merge, "x", "argument 49 (groups to merge)", "\"x\"");
  struct v3 v = plain_v3;
  v.direct = "true";
  assert_int_equal(parse_v3(v, &instance, &error), CKT_E_INPUT);
  assert_contains(error.text, "\"v3\", expected v1 or v4 with a direct load");
}

static void columns_point_at_the_argument(void **state) {
  (void)state;
  static const struct {
    const char *line, *said;
    size_t column;
  } cases[] = {
      {"DeviceX", "has no '<'", 1},
      {"DeviceX<1,2", "has no '>'", 12},
      {"Device>X<1,2", "'>' before its '<'", 1},
      {"DeviceX<2,Seq(1,2),3>", "has 3 arguments, expected 49", 22},
      {"DeviceX<2,Seq(1,2),3,>", "has 3 arguments", 23},
      {"DeviceX<2> x", "\"x\" stands behind", 12},
      {"DeviceX<2>; off", "\"; off\" stands behind", 11},
      {"DeviceX_Large_Tensor<0,1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6,7,8,9,"
       "0,1,2,3,4,5,6,7,8>",
       "has 49 arguments, expected 48", 118},
  };
  const struct ckt_problem_defaults defaults = defaults_of(CKT_FP16);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct ckt_instance instance;
    struct ckt_error error = {0};
    size_t column = 0;
    assert_int_equal(ckt_instance_parse(cases[i].line, &defaults, &instance, &column, &error), CKT_E_INPUT);
    assert_contains(error.text, cases[i].said);
    assert_int_equal(column, cases[i].column);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(golden_lists_give_the_recorded_instances),
      cmocka_unit_test(golden_errors_are_errors),
      cmocka_unit_test(v3_words_select_pipeline_and_scheduler),
      cmocka_unit_test(numbers_are_read_as_python_reads_them),
      cmocka_unit_test(waves_along_k_may_come_out_as_0),
      cmocka_unit_test(faults_are_named),
      cmocka_unit_test(columns_point_at_the_argument),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
