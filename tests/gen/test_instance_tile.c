/* CK Tile's notation: each field of the three directions lands where it belongs; every way a field, a name or a count
 * can be wrong, with message and column; the fields of backward weight that may be missing. */
#include "gen/instance_reader.h"
#include "gen_test.h"

enum { FIELDS = 31 };

static const char *const usual[FIELDS] = {
    "2",         "Default", "NHWGC", "GKYXC", "EmptyTuple", "NHWGK",      "8",          "4",
    "2",         "1",       "0",     "0",     "128",        "64",         "32",         "4",
    "2",         "1",       "32",    "16",    "8",          "fp16",       "fp16",       "BASIC_V1",
    "Intrawave", "0",       "1",     "fp32",  "fp16",       "EmptyTuple", "PassThrough"};

/* The line with one field other than usual; index -1: none. `more` follows the last field. */
static struct ckt_text line_with(const char *name, int index, const char *value, const char *more) {
  struct ckt_text line = {0};
  ckt_text_printf(&line, "GroupedConvolution%sKernel<", name);
  for (int i = 0; i < FIELDS; i++)
    ckt_text_printf(&line, "%s%s", i > 0 ? "," : "", i == index ? value : usual[i]);
  ckt_text_printf(&line, "%s>", more);
  return line;
}

static int parse(const struct ckt_text *line, enum ckt_direction direction, struct ckt_instance *instance,
                 size_t *column, struct ckt_error *error) {
  const struct ckt_problem_defaults kind = {direction, CKT_FP16, 2};
  return ckt_instance_parse(ckt_text_string(line), &kind, instance, column, error);
}

/* What stays of the key of the usual line when one field has this value. */
static void assert_key(int index, const char *value, const char *part) {
  struct ckt_text line = line_with("Forward", index, value, "");
  struct ckt_instance instance;
  struct ckt_error error = {0};
  char key[CKT_INSTANCE_KEY_MAX];
  if (parse(&line, CKT_FORWARD, &instance, NULL, &error) != CKT_OK)
    fail_msg("%s: %s", ckt_text_string(&line), error.text);
  ckt_instance_key(&instance, key);
  assert_contains(key, part);
  ckt_text_free(&line);
}

static void every_field_lands_where_it_belongs(void **state) {
  (void)state;
  assert_key(
      -1, "",
      "direction=forward dtype=fp16 spatial=2 spec=default tile=128x64x32 warps=4x2x1 warp_tile=32x16x8 "
      "vector=8,4,2 pipeline=v1 scheduler=intrawave double_smem_buffer=false num_wave_groups=1 "
      "num_groups_to_merge=1 split_image=false explicit_gemm=false two_stage=false split_k=1 "
      "specialize_shape=false block_size=512 impl=cktune");
  static const struct {
    int index;
    const char *value, *part;
  } cases[] = {
      {1, "Filter1x1Pad0", "spec=filter1x1_pad0"},
      {1, "Filter1x1Stride1Pad0", "spec=filter1x1_stride1_pad0"},
      {1, "Filter3x3", "spec=filter3x3"},
      {6, "16", "vector=16,4,2"},
      {7, "16", "vector=8,16,2"},
      {8, "16", "vector=8,4,16"},
      {9, "8", "num_groups_to_merge=8"},
      {10, "1", "split_image=true"},
      {10, "true", "split_image=true"},
      {11, "1", "explicit_gemm=true"},
      {12, "256", "tile=256x64x32"},
      {13, "256", "tile=128x256x32"},
      {14, "256", "tile=128x64x256"},
      {15, "1", "warps=1x2x1"},
      {16, "1", "warps=4x1x1"},
      {17, "2", "warps=4x2x2"},
      {18, "16", "warp_tile=16x16x8"},
      {19, "32", "warp_tile=32x32x8"},
      {20, " 16 ", "warp_tile=32x16x16"},
      {23, "MEMORY", "pipeline=v2"},
      {23, "COMPUTE_V3", "pipeline=v3"},
      {23, "COMPUTE_V4", "pipeline=v4"},
      {23, "COMPUTE_V5", "pipeline=v5"},
      {23, "COMPUTE_V6", "pipeline=v6"},
      {23, "BASIC_ASYNC_V1", "pipeline=async_v1"},
      {23, "COMPUTE_ASYNC", "pipeline=async_v4"},
      {23, "WAVELET", "pipeline=wavelet"},
      {24, "Interwave", "scheduler=interwave"},
      {24, "Default", "scheduler=intrawave"},
      {25, "1", "double_smem_buffer=true"},
      {26, "2", "num_wave_groups=2"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_key(cases[i].index, cases[i].value, cases[i].part);
}

static void wrong_fields_are_named(void **state) {
  (void)state;
  static const struct {
    int index;
    const char *value, *said;
  } cases[] = {
      {0, "3", "field 0 (spatial dimensions) is \"3\", expected 2, as which the list is read"},
      {1, "OddC",
       "field 1 (convolution specialization) is \"OddC\", expected Default, Filter1x1Pad0, "
       "Filter1x1Stride1Pad0 or Filter3x3"},
      {2, "GNHWC", "field 2 (input layout) is \"GNHWC\", expected NHWGC"},
      {3, "NHWGC", "field 3 (weight layout) is \"NHWGC\", expected GKYXC"},
      {4, "NHWGK", "field 4 (layout of D) is \"NHWGK\", expected EmptyTuple"},
      {5, "NDHWGK", "field 5 (output layout) is \"NDHWGK\", expected NHWGK"},
      {6, "x", "field 6 (vector A) is \"x\", expected a whole number between 1 and 262144"},
      {7, "0", "field 7 (vector B) is \"0\""},
      {8, "-1", "field 8 (vector C) is \"-1\""},
      {9, "", "field 9 (groups to merge) is \"\""},
      {10, "2", "field 10 (split image) is \"2\", expected 0, 1, false or true"},
      {12, "99999999999999999999", "field 12 (tile M) is \"99999999999999999999\""},
      {21, "bf16", "field 21 (data type of A) is \"bf16\", expected fp16, as which the list is read"},
      {22, "fp32", "field 22 (data type of B)"},
      {23, "COMPUTE_V7", "field 23 (pipeline) is \"COMPUTE_V7\", expected BASIC_V1, MEMORY, "},
      {24, "intrawave", "field 24 (scheduler) is \"intrawave\", expected Intrawave, Interwave or Default"},
      {27, "fp16", "field 27 (accumulator type) is \"fp16\", expected fp32"},
      {28, "fp32", "field 28 (output type) is \"fp32\", expected fp16"},
      {29, "fp16", "field 29 (types of D)"},
      {30, "Relu", "field 30 (elementwise operator) is \"Relu\", expected PassThrough"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct ckt_text line = line_with("Forward", cases[i].index, cases[i].value, "");
    struct ckt_instance instance;
    struct ckt_error error = {0};
    size_t column = 0, expected = strlen("GroupedConvolutionForwardKernel<") + 1;
    for (int field = 0; field < cases[i].index; field++)
      expected += strlen(usual[field]) + 1;
    assert_int_equal(parse(&line, CKT_FORWARD, &instance, &column, &error), CKT_E_INPUT);
    assert_contains(error.text, cases[i].said);
    assert_int_equal(column, expected);
    ckt_text_free(&line);
  }
}

static void backward_weight_may_say_more(void **state) {
  (void)state;
  static const struct {
    const char *name;
    enum ckt_direction direction;
    const char *more, *said; /* said NULL: an instance */
  } cases[] = {
      {"BackwardWeight", CKT_BACKWARD_WEIGHT, "", NULL},
      {"BackwardWeight", CKT_BACKWARD_WEIGHT, ",0", NULL},
      {"BackwardWeight", CKT_BACKWARD_WEIGHT, ",0,1", NULL},
      {"BackwardWeight", CKT_BACKWARD_WEIGHT, ",0,2,0", NULL},
      {"BackwardData", CKT_BACKWARD_DATA, "", NULL},
      {"BackwardWeight", CKT_BACKWARD_WEIGHT, ",1", "field 31 (stream-K) is \"1\", expected 0"},
      {"BackwardWeight", CKT_BACKWARD_WEIGHT, ",0,3", "field 32 (reduction) is \"3\", expected 0, 1 or 2"},
      {"BackwardWeight", CKT_BACKWARD_WEIGHT, ",0,1,1", "field 33 (persistent) is \"1\", expected 0"},
      {"BackwardWeight", CKT_BACKWARD_WEIGHT, ",0,1,0,7", "more than 34 fields, expected no \"7\""},
      {"BackwardData", CKT_BACKWARD_DATA, ",0", "more than 31 fields, expected no \"0\""},
      {"Forward", CKT_BACKWARD_DATA, "",
       "the instance is for forward, but the list is read as backward_data"},
      {"Sideways", CKT_FORWARD, "", "the kernel is \"GroupedConvolutionSidewaysKernel\", expected"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct ckt_text line = line_with(cases[i].name, -1, "", cases[i].more);
    struct ckt_instance instance;
    struct ckt_error error = {0};
    const int status = parse(&line, cases[i].direction, &instance, NULL, &error);
    if (cases[i].said == NULL && status != CKT_OK)
      fail_msg("%s: %s", ckt_text_string(&line), error.text);
    assert_int_equal(status, cases[i].said == NULL ? CKT_OK : CKT_E_INPUT);
    if (cases[i].said != NULL)
      assert_contains(error.text, cases[i].said);
    else
      assert_int_equal(instance.direction, cases[i].direction);
    ckt_text_free(&line);
  }
}

static void broken_lines_are_named(void **state) {
  (void)state;
  static const struct {
    const char *line, *said;
    size_t column;
  } cases[] = {
      {"GroupedConvolutionForwardKernel<2,Default>",
       "has 2 fields, expected 31: field 2 (input layout) is missing", 43},
      {"GroupedConvolutionForwardKernel<2,Default", "does not end in '>'", 42},
      {"GroupedConvolutionForwardKernel<2> # all", "has 1 fields", 35},
      {"GroupedConvolutionForwardKernel<>", "field 0 (spatial dimensions) is \"\"", 33},
      {"  ck_tile::GroupedConvolutionForwardKernel<2>", "the kernel is \"ck_tile::Grouped", 3},
  };
  const struct ckt_problem_defaults kind = defaults_of(CKT_FP16);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct ckt_instance instance;
    struct ckt_error error = {0};
    size_t column = 0;
    assert_int_equal(ckt_instance_parse(cases[i].line, &kind, &instance, &column, &error), CKT_E_INPUT);
    assert_contains(error.text, cases[i].said);
    assert_int_equal(column, cases[i].column);
  }
}

static void three_dimensions_have_their_layouts(void **state) {
  (void)state;
  const struct ckt_problem_defaults kind = {CKT_BACKWARD_DATA, CKT_BF16, 3};
  struct ckt_instance instance;
  struct ckt_error error = {0};
  if (ckt_instance_parse(
          "GroupedConvolutionBackwardDataKernel<3, Default, NDHWGC, GKZYXC, EmptyTuple, NDHWGK, 8, 8, 8, "
          "1, 0, 0, 64, 64, 64, 2, 2, 1, 16, 16, 16, bf16, bf16, COMPUTE_V3, Interwave, 0, 1, fp32, bf16, "
          "EmptyTuple, PassThrough>",
          &kind, &instance, NULL, &error) != CKT_OK)
    fail_msg("%s", error.text);
  assert_int_equal(instance.spatial, 3);
  assert_int_equal(instance.dtype, CKT_BF16);
  assert_int_equal(instance.block_size, 256);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_field_lands_where_it_belongs),  cmocka_unit_test(wrong_fields_are_named),
      cmocka_unit_test(backward_weight_may_say_more),        cmocka_unit_test(broken_lines_are_named),
      cmocka_unit_test(three_dimensions_have_their_layouts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
