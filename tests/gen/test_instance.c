/* The project's own form of an instance: order, white space, comments, defaults; every way a line can be wrong,
 * with message and column; the key, its longest text and its way back; which form a line is in. */
#include "gen/instance_reader.h"
#include "gen_test.h"

#define BASE "tile=128x64x32 warps=4x2x1 warp_tile=32x32x8 vector=8,4,2"

static void short_line_gets_the_defaults(void **state) {
  (void)state;
  const struct ckt_instance instance = instance_of(BASE, CKT_BF16);
  assert_int_equal(instance.direction, CKT_FORWARD);
  assert_int_equal(instance.dtype, CKT_BF16);
  assert_int_equal(instance.spatial, 2);
  assert_int_equal(instance.specialization, CKT_SPEC_DEFAULT);
  assert_int_equal(instance.tile[CKT_M], 128);
  assert_int_equal(instance.tile[CKT_N], 64);
  assert_int_equal(instance.tile[CKT_K], 32);
  assert_int_equal(instance.warps[CKT_M], 4);
  assert_int_equal(instance.warps[CKT_N], 2);
  assert_int_equal(instance.vector[CKT_A], 8);
  assert_int_equal(instance.vector[CKT_B], 4);
  assert_int_equal(instance.vector[CKT_C], 2);
  assert_int_equal(instance.pipeline, CKT_PIPELINE_V1);
  assert_int_equal(instance.scheduler, CKT_INTRAWAVE);
  assert_false(instance.double_smem_buffer || instance.split_image || instance.explicit_gemm ||
               instance.two_stage || instance.specialize_shape);
  assert_int_equal(instance.num_wave_groups, 1);
  assert_int_equal(instance.num_groups_to_merge, 1);
  assert_int_equal(instance.split_k, 1);
  assert_int_equal(instance.block_size, 64 * 4 * 2);
  assert_int_equal(instance.impl, CKT_IMPL_CKTUNE);
}

static void key_is_the_whole_truth(void **state) {
  (void)state;
  const struct ckt_instance instance = instance_of(BASE, CKT_FP16);
  char key[CKT_INSTANCE_KEY_MAX];
  ckt_instance_key(&instance, key);
  assert_string_equal(
      key, "direction=forward dtype=fp16 spatial=2 spec=default tile=128x64x32 warps=4x2x1 "
           "warp_tile=32x32x8 vector=8,4,2 pipeline=v1 scheduler=intrawave double_smem_buffer=false "
           "num_wave_groups=1 num_groups_to_merge=1 split_image=false explicit_gemm=false "
           "two_stage=false split_k=1 specialize_shape=false block_size=512 impl=cktune");
}

/* Every field, each other than its default, so that a field the key forgot would show. */
static const char *const variants[] = {
    BASE,
    BASE " spec=filter1x1_pad0",
    BASE " spec=filter1x1_stride1_pad0",
    BASE " spec=filter3x3",
    BASE " pipeline=async_v4",
    BASE " pipeline=wavelet",
    BASE " scheduler=interwave",
    BASE " double_smem_buffer=true",
    BASE " num_wave_groups=2",
    BASE " num_groups_to_merge=8",
    BASE " split_image=true",
    BASE " explicit_gemm=true",
    BASE " two_stage=true",
    BASE " split_k=4",
    BASE " specialize_shape=true",
    BASE " block_size=256",
    "tile=64x64x32 warps=4x2x1 warp_tile=32x32x8 vector=8,4,2",
    "tile=128x64x32 warps=2x2x1 warp_tile=32x32x8 vector=8,4,2 block_size=512",
    "tile=128x64x32 warps=4x2x1 warp_tile=16x16x16 vector=8,4,2",
    "tile=128x64x32 warps=4x2x1 warp_tile=32x32x8 vector=8,4,1",
};

static void keys_read_back_and_differ(void **state) {
  (void)state;
  enum { COUNT = sizeof variants / sizeof *variants };
  char keys[COUNT][CKT_INSTANCE_KEY_MAX], again[CKT_INSTANCE_KEY_MAX];
  for (size_t i = 0; i < COUNT; i++) {
    const struct ckt_instance instance = instance_of(variants[i], CKT_FP32);
    struct ckt_instance copy;
    struct ckt_error error = {0};
    ckt_instance_key(&instance, keys[i]);
    if (ckt_instance_parse(keys[i], NULL, &copy, NULL, &error) != CKT_OK)
      fail_msg("%s: %s", keys[i], error.text);
    ckt_instance_key(&copy, again);
    assert_string_equal(keys[i], again);
    for (size_t j = 0; j < i; j++)
      assert_string_not_equal(keys[i], keys[j]);
  }
}

static void longest_key_fits(void **state) {
  (void)state;
  const int64_t n = -CKT_INSTANCE_NUMBER_MAX;
  const struct ckt_instance longest = {.direction = CKT_BACKWARD_WEIGHT,
                                       .spatial = 3,
                                       .specialization = CKT_SPEC_FILTER_1X1_STRIDE1_PAD0,
                                       .tile = {n, n, n},
                                       .warps = {n, n, n},
                                       .warp_tile = {n, n, n},
                                       .vector = {n, n, n},
                                       .pipeline = CKT_PIPELINE_ASYNC_V1,
                                       .num_wave_groups = n,
                                       .num_groups_to_merge = n,
                                       .split_k = n,
                                       .block_size = n};
  char key[CKT_INSTANCE_KEY_MAX], again[CKT_INSTANCE_KEY_MAX];
  struct ckt_instance copy;
  struct ckt_error error = {0};
  ckt_instance_key(&longest, key);
  assert_true(strlen(key) < CKT_INSTANCE_KEY_MAX - 1);
  assert_int_equal(ckt_instance_parse(key, NULL, &copy, NULL, &error), CKT_OK);
  ckt_instance_key(&copy, again);
  assert_string_equal(key, again);
}

static void order_space_and_comments_are_free(void **state) {
  (void)state;
  static const char *const lines[] = {
      "vector=8,4,2 warp_tile=32x32x8 warps=4x2x1 tile=128x64x32",
      "  tile=128x64x32\twarps=4x2x1   warp_tile=32x32x8 vector=8,4,2  ",
      BASE " # fast <on> small; images",
      BASE "\t#no space",
      BASE " dtype=fp16 direction=forward spatial=2 impl=cktune",
  };
  char expected[CKT_INSTANCE_KEY_MAX], key[CKT_INSTANCE_KEY_MAX];
  const struct ckt_instance base = instance_of(BASE, CKT_FP16);
  ckt_instance_key(&base, expected);
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    const struct ckt_instance instance = instance_of(lines[i], CKT_FP16);
    ckt_instance_key(&instance, key);
    assert_string_equal(key, expected);
  }
}

static void faults_are_named(void **state) {
  (void)state;
  static const struct {
    const char *line;
    size_t column;
    const char *said[2];
  } cases[] = {
      {"", 1, {"no instance"}},
      {"# nothing", 1, {"no instance"}},
      {"warps=1x1x1 warp_tile=32x32x8 vector=1,1,1", 1, {"tile is missing", "128x128x32"}},
      {"tile=32x32x8 warp_tile=32x32x8 vector=1,1,1", 1, {"warps is missing"}},
      {"tile=32x32x8 warps=1x1x1 vector=1,1,1", 1, {"warp_tile is missing"}},
      {"tile=32x32x8 warps=1x1x1 warp_tile=32x32x8", 1, {"vector is missing"}},
      {BASE " tiles=1x1x1", 59, {"\"tiles\" is not a field", "tile, warps"}},
      {BASE " vector=1,1,1", 59, {"vector is given twice"}},
      {BASE "#no space", 57, {"vector=\"8,4,2#no\"", "A,B,C"}},
      {BASE " hello", 59, {"\"hello\" is neither name=value"}},
      {BASE " pipeline=v7", 68, {"pipeline=\"v7\"", "v1, v2"}},
      {BASE " pipeline=V1", 68, {"pipeline=\"V1\""}},
      {BASE " scheduler=Intrawave", 69, {"intrawave or interwave"}},
      {BASE " spec=1x1", 64, {"spec=\"1x1\"", "filter1x1_pad0"}},
      {BASE " split_image=1", 71, {"false or true"}},
      {BASE " split_k=", 67, {"split_k=\"\""}},
      {BASE " split_k=0", 59, {"split_k has a number of 0"}},
      {BASE " dtype=bf16", 59, {"dtype=bf16", "read as fp16"}},
      {BASE " spatial=3", 59, {"spatial=3", "read as 2"}},
      {BASE " spatial=4", 67, {"spatial=\"4\"", "2 or 3"}},
      {BASE " direction=backward_data", 59, {"direction=backward_data", "read as forward"}},
      {"tile=128x64 warps=4x2x1 warp_tile=32x32x8 vector=8,4,2", 6, {"tile=\"128x64\"", "MxNxK"}},
      {"tile=128x64x32x1 warps=4x2x1 warp_tile=32x32x8 vector=8,4,2", 6, {"tile=\"128x64x32x1\""}},
      {"tile=0x64x32 warps=4x2x1 warp_tile=32x32x8 vector=8,4,2", 1, {"tile has a number of 0", "1 or more"}},
      {"tile=-128x64x32 warps=4x2x1 warp_tile=32x32x8 vector=8,4,2", 1, {"tile has a number of -128"}},
      {"tile=128x64x32 warps=4x2x0 warp_tile=32x32x8 vector=8,4,2", 16, {"warps has a number of 0"}},
      {"tile=9999999999999999999999x64x32 warps=4x2x1 warp_tile=32x32x8 vector=8,4,2", 6, {"tile="}},
      {"tile=128x6 4x32", 6, {"tile=\"128x6\""}},
      {"tile=128xx32 warps=4x2x1", 10, {"\"\" in tile=\"128xx32\"", "MxNxK"}},
      {"tile=128x64x32 warps=4x2x1 warp_tile=32x32x8 vector=8,4,2#no blank", 57, {"\"2#no\" in vector="}},
      {"tile=1x1x1 warps=262144x262144x262144 warp_tile=32x32x8 vector=8,4,2",
       1,
       {"block_size", "at most 262144"}},
      {"tile=128x64x32 warps=4x2x1 warp_tile=32x32x8 vector=8x4x2", 53, {"vector=\"8x4x2\"", "A,B,C"}},
  };
  const struct ckt_problem_defaults defaults = defaults_of(CKT_FP16);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct ckt_instance instance = {.split_k = 77};
    struct ckt_error error = {0};
    size_t column = 0;
    if (ckt_instance_parse(cases[i].line, &defaults, &instance, &column, &error) != CKT_E_INPUT)
      fail_msg("\"%s\" passed", cases[i].line);
    for (size_t part = 0; part < 2 && cases[i].said[part] != NULL; part++)
      assert_contains(error.text, cases[i].said[part]);
    if (column != cases[i].column)
      fail_msg("\"%s\": column %zu instead of %zu", cases[i].line, column, cases[i].column);
    assert_int_equal(instance.split_k, 77); /* untouched */
  }
}

static void without_a_list_a_line_must_say_all(void **state) {
  (void)state;
  struct ckt_instance instance;
  struct ckt_error error = {0};
  assert_int_equal(ckt_instance_parse(BASE, NULL, &instance, NULL, &error), CKT_E_INPUT);
  assert_contains(error.text, "direction is missing");
  assert_int_equal(ckt_instance_parse("DeviceX<1>", NULL, &instance, NULL, &error), CKT_E_INPUT);
  assert_contains(error.text, "expected a key");
}

static void form_follows_from_the_text(void **state) {
  (void)state;
  static const struct {
    const char *line;
    enum ckt_line_kind kind;
  } cases[] = {
      {"", CKT_LINE_BLANK},
      {" \t", CKT_LINE_BLANK},
      {"# a", CKT_LINE_COMMENT},
      {"  # a<b>", CKT_LINE_COMMENT},
      {"; a", CKT_LINE_COMMENT},
      {"Device<1>", CKT_LINE_CK},
      {"x<1>", CKT_LINE_CK},
      {"DeviceX", CKT_LINE_CK},
      {"Device<1> # on", CKT_LINE_CK},
      {"Device<1>#on", CKT_LINE_CK},
      {"Device<1;2>", CKT_LINE_CK},
      {"Grouped<1>", CKT_LINE_CK},
      {"GroupedConvolutionForwardKernel<1>", CKT_LINE_TILE},
      {"tile=1x1x1 where tile_m<2", CKT_LINE_OWN},
      {"#Device<1>", CKT_LINE_COMMENT},
      {"tile=1 # <", CKT_LINE_OWN},
      {"tile=1x1x1", CKT_LINE_OWN},
      {"nonsense", CKT_LINE_OWN},
      {"tile=1x1x1 where lds < 5", CKT_LINE_OWN},
      {"tile=1x1x1#2", CKT_LINE_OWN},
      {"tile=1 <", CKT_LINE_OWN},
      {"tile<1=2>", CKT_LINE_CK},
      {"\xe2\x80\x83# after an em space", CKT_LINE_COMMENT},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    if (ckt_instance_line_kind(ckt_span_of(cases[i].line)) != cases[i].kind)
      fail_msg("\"%s\" is of another kind", cases[i].line);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(short_line_gets_the_defaults),       cmocka_unit_test(key_is_the_whole_truth),
      cmocka_unit_test(keys_read_back_and_differ),          cmocka_unit_test(longest_key_fits),
      cmocka_unit_test(order_space_and_comments_are_free),  cmocka_unit_test(faults_are_named),
      cmocka_unit_test(without_a_list_a_line_must_say_all), cmocka_unit_test(form_follows_from_the_text),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
