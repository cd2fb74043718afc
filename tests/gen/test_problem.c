/* Problems: the positional, the named and the canonical form of a SPEC, each in 2D and 3D; defaults; groups;
 * every way a SPEC can be wrong, with what the message must say and the column it must point at; keys read
 * back; element, byte and FLOP counts; limits; the description; the words of options. */
#include "gen_test.h"

static struct ckt_problem_defaults defaults_3d(void) {
  return (struct ckt_problem_defaults){.direction = CKT_FORWARD, .dtype = CKT_FP16, .spatial = 3};
}

static void assert_key(const struct ckt_problem *problem, const char *expected) {
  char key[CKT_PROBLEM_KEY_MAX];
  ckt_problem_key(problem, key);
  assert_string_equal(key, expected);
}

static void good_specs_have_their_key(void **state) {
  (void)state;
  static const struct {
    int spatial;
    const char *spec, *key;
  } cases[] = {
      {2, "128,256,512,14,15,3,5", "fwd-fp16-nhwgc-g1-n128-k512-c256-in14x15-fil3x5-s1x1-d1x1-pl0x0-pr0x0"},
      {2, "1,4,6,14,15,3,5,2,3", "fwd-fp16-nhwgc-g1-n1-k6-c4-in14x15-fil3x5-s2x3-d1x1-pl0x0-pr0x0"},
      {2, "1,4,6,14,15,3,5,2,3,1,2", "fwd-fp16-nhwgc-g1-n1-k6-c4-in14x15-fil3x5-s2x3-d1x1-pl1x2-pr1x2"},
      {2, "1,4,6,14,25,3,5,2,3,1,2,3,4", "fwd-fp16-nhwgc-g1-n1-k6-c4-in14x25-fil3x5-s2x3-d3x4-pl1x2-pr1x2"},
      {2, "1,4,6,14,25,3,5,2,3,1,2,3,4,2", "fwd-fp16-nhwgc-g2-n1-k3-c2-in14x25-fil3x5-s2x3-d3x4-pl1x2-pr1x2"},
      {2, " 1 , 4,6,\t14,15,3,5 ", "fwd-fp16-nhwgc-g1-n1-k6-c4-in14x15-fil3x5-s1x1-d1x1-pl0x0-pr0x0"},
      {3, "1,4,6,8,14,15,2,3,5",
       "fwd-fp16-ndhwgc-g1-n1-k6-c4-in8x14x15-fil2x3x5-s1x1x1-d1x1x1-pl0x0x0-pr0x0x0"},
      {3, "1,4,6,8,14,35,2,3,5,1,2,3,0,1,2,1,3,4,2",
       "fwd-fp16-ndhwgc-g2-n1-k3-c2-in8x14x35-fil2x3x5-s1x2x3-d1x3x4-pl0x1x2-pr0x1x2"},
      {2, "n=128,c=256,k=512,hi=14,wi=15,y=3,x=5",
       "fwd-fp16-nhwgc-g1-n128-k512-c256-in14x15-fil3x5-s1x1-d1x1-pl0x0-pr0x0"},
      {2, "g=2, x=5, y=3, wi=15, hi=14, k=6, c=4, n=1, lpy=1, rpx=2, sx=2, dy=2",
       "fwd-fp16-nhwgc-g2-n1-k3-c2-in14x15-fil3x5-s1x2-d2x1-pl1x0-pr0x2"},
      {2, "n=1,c=4,k=6,hi=14,wi=15,y=3,x=5,py=1,px=2",
       "fwd-fp16-nhwgc-g1-n1-k6-c4-in14x15-fil3x5-s1x1-d1x1-pl1x2-pr1x2"},
      {2, "n=1,c=4,k=6,di=8,hi=14,wi=15,z=2,y=3,x=5,sz=2,dz=3,lpz=1,rpz=2",
       "fwd-fp16-ndhwgc-g1-n1-k6-c4-in8x14x15-fil2x3x5-s2x1x1-d3x1x1-pl1x0x0-pr2x0x0"},
      {3, "n=1,c=4,k=6,di=8,hi=14,wi=15,z=2,y=3,x=5,pz=1",
       "fwd-fp16-ndhwgc-g1-n1-k6-c4-in8x14x15-fil2x3x5-s1x1x1-d1x1x1-pl1x0x0-pr1x0x0"},
      {3, "bwdw-bf16-nhwgc-g2-n1-k3-c2-in14x15-fil3x5-s1x2-d2x1-pl1x0-pr0x2",
       "bwdw-bf16-nhwgc-g2-n1-k3-c2-in14x15-fil3x5-s1x2-d2x1-pl1x0-pr0x2"},
      {2, "bwdd-fp32-ndhwgc-g2-n1-k3-c2-in8x14x15-fil2x3x5-s1x1x2-d1x2x1-pl0x1x0-pr1x0x2",
       "bwdd-fp32-ndhwgc-g2-n1-k3-c2-in8x14x15-fil2x3x5-s1x1x2-d1x2x1-pl0x1x0-pr1x0x2"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct ckt_problem_defaults defaults = defaults_3d();
    defaults.spatial = cases[i].spatial;
    struct ckt_problem problem, again;
    struct ckt_error error = {0};
    if (ckt_problem_parse(cases[i].spec, &defaults, &problem, &error) != CKT_OK)
      fail_msg("%s: %s", cases[i].spec, error.text);
    assert_key(&problem, cases[i].key);
    defaults.spatial = 5 - cases[i].spatial; /* a key says all, whatever the defaults */
    defaults.direction = CKT_BACKWARD_DATA;
    defaults.dtype = CKT_BF16;
    assert_int_equal(ckt_problem_parse(cases[i].key, &defaults, &again, &error), CKT_OK);
    assert_memory_equal(&problem, &again, sizeof problem);
  }
}

#define MAX63    "9223372036854775807"
#define KEY_HEAD "fwd-fp16-nhwgc-g1-n1-k1-c1-in4x4-fil1x1-s1x1-d1x1-"

struct bad_spec {
  int spatial;
  const char *spec;
  size_t column;       /* 0: not checked */
  const char *said[3]; /* what the message must say; NULL ends */
};

static const struct bad_spec bad_specs[] = {
    /* number of numbers */
    {2, "", 1, {"empty", "N,C,K,HI,WI,Y,X"}},
    {2, "  ", 0, {"empty"}},
    {2, "2,64,64", 1, {"3 numbers are too few", "HI is missing", "7, 9, 11, 13 or 14"}},
    {2, "128", 1, {"1 number is too few", "C is missing"}},
    {2, "2,64,64,14,14,3,3,1", 1, {"8 numbers end amid", "SY is given, SX is missing"}},
    {2, "1,1,1,4,4,1,1,1,1,0", 1, {"10 numbers", "PX is missing"}},
    {2, "1,1,1,4,4,1,1,1,1,0,0,1,1,1,7", 0, {"15 numbers are too many"}},
    {3,
     "2,64,64,14,14,3,3",
     1,
     {"7 numbers are too few for a 3D problem", "Y is missing", "9, 12, 15, 18 or 19"}},
    /* text */
    {2, "2,64,64,abc,14,3,3", 9, {"HI, the 4th number,", "\"abc\"", "not a whole number"}},
    {2, "2,64,64,14,14,3,3x", 17, {"X, the 7th number,", "\"3x\""}},
    {2, "two,64,64,14,14,3,3", 1, {"N, the 1st number,"}},
    {2, "2,1.5,64,14,14,3,3", 3, {"C, the 2nd number,", "\"1.5\""}},
    {2, "2,64,0x40,14,14,3,3", 6, {"K, the 3rd number,", "\"0x40\""}},
    {2, "2,64,64,,14,3,3", 9, {"HI, the 4th number, is empty"}},
    {2, "2,64,64,14,14,3,", 17, {"X, the 7th number, is empty"}},
    {2, "hello", 1, {"N, the 1st number,", "\"hello\""}},
    {2, "\x1b[31m,1", 1, {"\"?[31m\""}},
    /* zero, negative */
    {2, "0,64,64,14,14,3,3", 1, {"N, the 1st number, is 0", "1 or more"}},
    {2, "2,64,-64,14,14,3,3", 6, {"K, the 3rd number, is -64"}},
    {2, "2,64,64,14,14,3,3,0,1", 19, {"SY, the 8th number, is 0"}},
    {2, "2,64,64,14,14,3,3,1,1,-1,0", 23, {"PY, the 10th number, is -1", "0 or more"}},
    {2, "2,64,64,14,14,3,3,1,1,1,1,0,1", 27, {"DY, the 12th number, is 0"}},
    {2, "2,64,64,14,14,3,3,1,1,1,1,1,1,0", 31, {"G, the 14th number, is 0"}},
    /* overflow of a number and of products */
    {2, "9223372036854775808,64,64,14,14,3,3", 1, {"N, the 1st number,", "too large", "63 bits"}},
    {2, "2,64,99999999999999999999999,14,14,3,3", 6, {"K, the 3rd number,", "too large"}},
    {2, MAX63 ",2,1,1,1,1,1", 0, {"elements of the input", "63 bits"}},
    {2, "1,4294967296,4294967296,1,1,1,1", 0, {"elements of the weight", "63 bits"}},
    {2, "4294967296,1,4294967296,1,1,1,1", 0, {"elements of the output", "63 bits"}},
    {2, "4611686018427387904,1,1,1,1,1,1", 0, {"bytes of the three tensors", "63 bits"}},
    {2, "2097152,2097152,2097152,1,1,1,1", 0, {"floating-point operations", "63 bits"}},
    {2, "1,1,1,4,4,1,1,1,1," MAX63 ",0", 0, {"height", "63 bits"}},
    {2, "1,1,1,4,4,3,3,1,1,0,0,1," MAX63, 0, {"width", "63 bits"}},
    /* filter against padded input */
    {2, "1,1,1,2,2,3,3,2,2", 1, {"the filter is larger than the padded input", "height", "span 3"}},
    {2,
     "1,1,1,9,4,3,3,1,1,0,0,1,2",
     1,
     {"larger than the padded input", "width", "3 taps with dilation 2 span 5"}},
    {2,
     "n=1,c=1,k=1,hi=1,wi=9,y=3,x=3,lpy=1",
     1,
     {"larger than the padded input", "pads 1 and 0 has only 2"}},
    {3, "1,1,1,2,9,9,3,3,3", 1, {"larger than the padded input", "depth"}},
    /* groups */
    {2, "3,2,4,8,8,4,4,1,1,0,0,1,1,4", 1, {"groups 4 do not divide C=2"}},
    {2, "3,4,6,8,8,4,4,1,1,0,0,1,1,4", 1, {"groups 4 do not divide K=6"}},
    {2, "n=1,c=3,k=4,hi=4,wi=4,y=1,x=1,g=2", 1, {"groups 2 do not divide C=3"}},
    /* names */
    {2, "n=1,c=1,k=1,hi=4,wi=4,y=1,q=1", 27, {"\"q\" is not a name", "hi, wi"}},
    {2, "n=1,c=1,k=1,hi=4,wi=4,y=1,x=1,n=2", 31, {"n is given twice"}},
    {2, "n=1,c=1,k=1,hi=4,wi=4,y=1,x=1,py=1,lpy=2", 36, {"lpy is given twice", "set both sides"}},
    {2, "n=1,c=1,k=1,hi=4,wi=4,y=1,x=1,rpy=1,py=2", 37, {"py sets lpy and rpy"}},
    {2, "c=1,k=1,hi=4,wi=4,y=1,x=1", 1, {"n is missing"}},
    {2, "n=1,c=1,k=1,hi=4,y=1,x=1", 1, {"wi is missing"}},
    {2, "n=1,c=1,k=1,di=2,hi=4,wi=4,y=1,x=1", 1, {"z is missing", "3D"}},
    {3, "n=1,c=1,k=1,hi=4,wi=4,y=1,x=1", 1, {"di is missing", "3D"}},
    {2, "n=1,c=1,k=1,hi=4,wi=4,y=1,x=", 29, {"x is empty"}},
    {2, "n=1,c=1,k=1,hi=4,wi=four,y=1,x=1", 21, {"wi is \"four\""}},
    {2, "n=1,c=1,k=1,hi=4,wi=4,y=1,x=0", 29, {"x is 0"}},
    {2, "n=1,c=1,k=1,hi=4,wi=4,y=1,7", 27, {"\"7\" has no value"}},
    {2, "n=1,,c=1", 5, {"\"\" has no value"}},
    {2, "n=1,c=1=2,k=1", 0, {"c is \"1=2\""}},
    /* keys */
    {2, "fwd-fp64-nhwgc-g1", 5, {"\"fp64\"", "fp32, fp16 or bf16"}},
    {2, "fwd-fp16-nchw-g1", 10, {"\"nchw\"", "nhwgc"}},
    {2, "fwd-fp16", 0, {"its end", "nhwgc"}},
    {2, "fwd-fp16-nhwgc-g1-k1", 19, {"\"k1\"", "n and its number"}},
    {2, KEY_HEAD "pl0x0", 0, {"its end", "pr"}},
    {2, KEY_HEAD "pl0x0-pr0x0-x", 0, {"goes on with \"x\""}},
    {2, KEY_HEAD "pl0x0-pr0x0x0", 0, {"pr", "more than 2 extents"}},
    {2, KEY_HEAD "pl0-pr0x0", 0, {"lpx is empty"}},
    {2, "fwd-fp16-nhwgc-g1-n1-k1-c1-in2x2-fil3x3-s1x1-d1x1-pl0x0-pr0x0", 0, {"larger than the padded input"}},
    {2, "fwd-fp16-nhwgc-g0-n1-k1-c1-in2x2-fil1x1-s1x1-d1x1-pl0x0-pr0x0", 17, {"g is 0"}},
    /* other tools' commands */
    {2, "MIOpenDriver conv -n 128 -c 3", 1, {"MIOpenDriver command is not read yet", "N,C,K"}},
    {2, "./bin/MIOpenDriver convfp16 -n 128", 1, {"MIOpenDriver command is not read yet"}},
    {2, "convfp16 -n 128 -c 3", 1, {"MIOpenDriver command is not read yet"}},
    {2, "ckProfiler grouped_conv_fwd 1 1 0 1 0 1 2 32 4", 1, {"ckProfiler command is not read yet"}},
    {2, "grouped_conv_fwd 1 1 0 1 0 1 2 32 4", 1, {"ckProfiler command is not read yet"}},
};

static void bad_specs_are_named(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof bad_specs / sizeof *bad_specs; i++) {
    const struct bad_spec *bad = &bad_specs[i];
    struct ckt_problem_defaults defaults = defaults_3d();
    defaults.spatial = bad->spatial;
    struct ckt_problem problem = {.g = 77};
    struct ckt_error error = {0};
    size_t column = 0;
    if (ckt_problem_parse_at(bad->spec, &defaults, &problem, &column, &error) != CKT_E_INPUT)
      fail_msg("\"%s\" passed", bad->spec);
    assert_int_equal(problem.g, 77); /* untouched */
    for (size_t part = 0; part < 3 && bad->said[part] != NULL; part++)
      assert_contains(error.text, bad->said[part]);
    if (bad->column != 0 && bad->column != column)
      fail_msg("\"%s\": column %zu instead of %zu (%s)", bad->spec, column, bad->column, error.text);
  }
}

static void sizes_are_counted(void **state) {
  (void)state;
  const struct ckt_problem p = problem_of("2,8,12,14,15,3,5,2,3,1,2,1,1,4", CKT_FP16);
  int64_t out[CKT_AXES];
  ckt_problem_output(&p, out);
  assert_int_equal(out[CKT_DEPTH], 1);
  assert_int_equal(out[CKT_HEIGHT], 7); /* (14 + 2 - 3) / 2 + 1 */
  assert_int_equal(out[CKT_WIDTH], 5);  /* (15 + 4 - 5) / 3 + 1 */
  assert_int_equal(ckt_problem_input_elements(&p), 2 * 14 * 15 * 8);
  assert_int_equal(ckt_problem_weight_elements(&p), 12 * 3 * 5 * 2);
  assert_int_equal(ckt_problem_output_elements(&p), 2 * 7 * 5 * 12);
  assert_int_equal(ckt_problem_flops(&p), 2LL * 2 * 12 * 7 * 5 * 2 * 3 * 5);
  assert_int_equal(ckt_problem_bytes(&p), 2 * (2 * 14 * 15 * 8 + 12 * 3 * 5 * 2 + 2 * 7 * 5 * 12));
}

/* Each extent small, each tensor beyond 2^31 elements. */
static void large_sizes_are_counted_in_64_bits(void **state) {
  (void)state;
  const struct ckt_problem p = problem_of("240,1024,1024,162,92,3,3,1,1,1,1", CKT_FP16);
  assert_int_equal(ckt_problem_input_elements(&p), 3662807040LL);
  assert_int_equal(ckt_problem_flops(&p), 2LL * 9 * 1024 * 3662807040LL);
  const struct ckt_problem largest = problem_of("1073741824,1024,1,1,1,1,1", CKT_FP32);
  assert_int_equal(ckt_problem_input_elements(&largest), 1LL << 40);
}

static void dilated_filter_may_just_fit(void **state) {
  (void)state;
  const struct ckt_problem p = problem_of("1,1,1,3,5,3,3,9,9,0,0,1,2", CKT_FP32);
  int64_t out[CKT_AXES];
  ckt_problem_output(&p, out);
  assert_int_equal(out[CKT_HEIGHT], 1);
  assert_int_equal(out[CKT_WIDTH], 1);
}

static void check_refuses_what_no_spec_says(void **state) {
  (void)state;
  const struct ckt_problem good = problem_of("1,1,1,4,4,1,1", CKT_FP32);
  struct ckt_error error = {0};
  assert_int_equal(ckt_problem_check(&good, &error), CKT_OK);
  struct ckt_problem bad = good;
  bad.spatial = 4;
  assert_int_equal(ckt_problem_check(&bad, &error), CKT_E_INPUT);
  assert_contains(error.text, "4 spatial dimensions");
  bad = good;
  bad.in[CKT_DEPTH] = 2;
  assert_int_equal(ckt_problem_check(&bad, &error), CKT_E_INPUT);
  assert_contains(error.text, "depth");
  bad = good;
  bad.pad_right[CKT_WIDTH] = -1;
  assert_int_equal(ckt_problem_check(&bad, &error), CKT_E_INPUT);
  assert_contains(error.text, "the right pad rpx is -1");
}

static void description_names_everything(void **state) {
  (void)state;
  struct ckt_text text = {0};
  const struct ckt_problem p = problem_of("n=2,c=64,k=32,hi=14,wi=7,y=3,x=1,sy=2,lpy=1,g=4", CKT_BF16);
  ckt_problem_describe(&p, &text);
  assert_string_equal(
      ckt_text_string(&text),
      "forward bf16 2D, G=4 N=2 C=16 K=8 (C and K per group), input 14x7, filter 3x1, stride 2x1, "
      "dilation 1x1, left pad 1x0, right pad 0x0, output 7x7");
  ckt_text_free(&text);
}

static void words_of_options(void **state) {
  (void)state;
  static const struct {
    const char *word;
    enum ckt_direction direction;
  } good[] = {{"forward", CKT_FORWARD},
              {"fwd", CKT_FORWARD},
              {"backward_data", CKT_BACKWARD_DATA},
              {"bwd", CKT_BACKWARD_DATA},
              {"backward_weight", CKT_BACKWARD_WEIGHT},
              {"wrw", CKT_BACKWARD_WEIGHT}};
  struct ckt_error error = {0};
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    enum ckt_direction direction = CKT_FORWARD;
    assert_int_equal(ckt_direction_parse(good[i].word, &direction, &error), CKT_OK);
    assert_int_equal(direction, good[i].direction);
  }
  enum ckt_direction direction;
  enum ckt_dtype dtype;
  assert_int_equal(ckt_direction_parse("sideways", &direction, &error), CKT_E_USAGE);
  assert_contains(error.text, "\"sideways\"");
  assert_int_equal(ckt_dtype_parse("bf16", &dtype, &error), CKT_OK);
  assert_int_equal(dtype, CKT_BF16);
  assert_int_equal(ckt_dtype_parse("fp64", &dtype, &error), CKT_E_USAGE);
  assert_contains(error.text, "fp32, fp16 or bf16");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(good_specs_have_their_key),
      cmocka_unit_test(bad_specs_are_named),
      cmocka_unit_test(sizes_are_counted),
      cmocka_unit_test(large_sizes_are_counted_in_64_bits),
      cmocka_unit_test(dilated_filter_may_just_fit),
      cmocka_unit_test(check_refuses_what_no_spec_says),
      cmocka_unit_test(description_names_everything),
      cmocka_unit_test(words_of_options),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
