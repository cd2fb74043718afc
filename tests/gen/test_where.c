/* Conditions of spaces: what each operator and name computes, how operators bind, what has no value, and every way
 * a condition can be wrong, with the column it is wrong at. */
#include "gen/where.h"
#include "gen_test.h"

/* tile 128x64x32, 4x2x1 warps, warp tile 32x32x8, vectors 8, 4, 2 */
#define LINE "tile=128x64x32 warps=4x2x1 warp_tile=32x32x8 vector=8,4,2 split_k=3 two_stage=true pipeline=v3"

static int judge(const char *text, const struct ckt_instance *instance, bool *holds, size_t *column,
                 struct ckt_error *error) {
  struct ckt_where *where;
  struct ckt_span fault = {text, 0};
  int status = ckt_where_parse(ckt_span_of(text), &where, &fault, error);
  if (status == CKT_OK) {
    status = ckt_where_holds(where, instance, holds, &fault, error);
    ckt_where_free(where);
  } else {
    assert_null(where);
  }
  *column = (size_t)(fault.text - text) + 1;
  return status;
}

static void check(const char *text, bool expected) {
  const struct ckt_instance instance = instance_of(LINE, CKT_FP16);
  struct ckt_error error = {0};
  bool holds = !expected;
  size_t column;
  if (judge(text, &instance, &holds, &column, &error) != CKT_OK)
    fail_msg("%s: %s", text, error.text);
  if (holds != expected)
    fail_msg("%s is %s", text, holds ? "true" : "false");
}

static void conditions_are_computed(void **state) {
  (void)state;
  static const struct {
    const char *text;
    bool holds;
  } cases[] = {
      /* names */
      {"tile_m == 128", true},
      {"tile_n == 64", true},
      {"tile_k == 32", true},
      {"warps_m == 4 and warps_n == 2 and warps_k == 1", true},
      {"warp_tile_m == 32 and warp_tile_n == 32 and warp_tile_k == 8", true},
      {"vector_a == 8 and vector_b == 4 and vector_c == 2", true},
      {"split_k == 3", true},
      {"num_wave_groups + num_groups_to_merge == 2", true},
      {"two_stage", true},
      {"split_image", false},
      {"two_stage == true and split_image == false and two_stage != split_image", true},
      {"pipeline == v3", true},
      {"pipeline != v3", false},
      {"pipeline in {v1, v2}", false},
      {"pipeline in {v1,v3}", true},
      {"dtype == fp16 and direction == forward and spatial == 2 and spec == default", true},
      /* what follows from them: 4 x 2 x 64 lanes; (128 + 64) x 32 x 2 bytes of input and weight, and a strip of the
       * output of (4 x 32) x (2 x 32) x 2; 128 x 64 / 512; 192 x 32 x 2 / (512 x 4) + 32 for addresses */
      {"threads == 512 and block_size == 512", true},
      {"lds == 16384", true},
      {"accumulators == 16", true},
      {"registers == 16 + 6 + 32", true},
      /* arithmetic */
      {"7 / 2 == 3", true},
      {"-7 / 2 == -3", true},
      {"-7 % 2 == -1", true},
      {"7 - 2 - 1 == 4", true},
      {"2 + 3 * 4 == 14", true},
      {"(2 + 3) * 4 == 20", true},
      {"100 / 10 / 2 == 5", true},
      {"- - 3 == 3", true},
      {"2*-3 == -6", true},
      {"-(2 + 3) == -5", true},
      {"tile_m*tile_n<=8192", true},
      {"tile_m*tile_n < 8192", false},
      {"9223372036854775807 - 1 == 9223372036854775806", true},
      {"-9223372036854775807 - 1 < 0", true},
      /* comparison */
      {"1 < 2", true},
      {"2 < 2", false},
      {"2 <= 2", true},
      {"3 <= 2", false},
      {"2 > 1", true},
      {"2 > 2", false},
      {"2 >= 2", true},
      {"1 >= 2", false},
      {"1 != 2", true},
      /* sets */
      {"tile_m in {64, 128}", true},
      {"tile_m in {64, 127}", false},
      {"tile_m in {32..256*2}", true},
      {"tile_m in {32..256*3}", false},
      {"tile_m in {1..4, 100..128+28}", true},
      {"0 - 5 in {-10..-1}", true},
      {"tile_m * 2 in {256}", true},
      {"tile_n in {1..1000000000000}", true},
      /* truth: and binds tighter than or, not tighter than and, comparison tighter than not */
      {"true or false and false", true},
      {"(true or false) and false", false},
      {"not false and false", false},
      {"not (false and false)", true},
      {"not 1 == 2", true},
      {"not not true", true},
      {"not tile_m in {1}", true},
      {"1 == 2 or 3 == 3", true},
      /* what decides is not looked behind */
      {"false and 1 / 0 == 1", false},
      {"true or 1 / 0 == 1", true},
      {"\t tile_m  ==\t128 ", true},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    check(cases[i].text, cases[i].holds);
}

static void faults_are_named_with_their_column(void **state) {
  (void)state;
  static const struct {
    const char *text;
    size_t column;
    const char *said[2];
  } cases[] = {
      {"", 1, {"the end is read", "expected a name"}},
      {"tile_m ==", 10, {"the end is read"}},
      {"tile_m == 1 tile_n", 13, {"\"tile_n\" is read", "expected an operator"}},
      {"tile_m = 1", 8, {"\"=\" is read"}},
      {"tile_q == 1", 1, {"\"tile_q\" is no name", "tile_m"}},
      {"1 == tile", 6, {"\"tile\" has three numbers", "tile_m, tile_n or tile_k"}},
      {"vector == 1", 1, {"vector_a, vector_b or vector_c"}},
      {"split_k_m == 1", 1, {"is no name"}},
      {"lds_m == 1", 1, {"is no name"}},
      {"tile_m", 1, {"\"tile_m\" is a number", "true or false"}},
      {"1 and true", 1, {"\"1\" is a number"}},
      {"true and 1", 10, {"\"1\" is a number"}},
      {"1 + true == 2", 5, {"\"true\" is true or false, expected a number"}},
      {"1 < 2 < 3", 3, {"\"<\" is true or false, expected a number"}},
      {"two_stage == 1", 14, {"\"1\" is a number"}},
      {"not 1", 5, {"\"1\" is a number"}},
      {"-two_stage == 1", 2, {"expected a number"}},
      {"pipeline", 1, {"\"pipeline\" is a word", "==, != or in"}},
      {"pipeline < v3", 1, {"\"pipeline\" is a word"}},
      {"1 == pipeline", 6, {"\"pipeline\" is a word"}},
      {"pipeline == v7", 13, {"pipeline is compared with \"v7\"", "v1, v2"}},
      {"pipeline ==", 12, {"compared with nothing"}},
      {"pipeline in {v1, v9}", 18, {"\"v9\"", "v1, v2"}},
      {"pipeline in {}", 14, {"compared with nothing"}},
      {"(1 == 1", 1, {"the bracket is not closed"}},
      {"(1 == 1 1)", 9, {"\"1\" is read, expected an operator or )"}},
      {"1 == 1)", 7, {"\")\" is read"}},
      {"tile_m in 1", 11, {"\"1\" is read, expected a set"}},
      {"tile_m in {1", 11, {"the set is not closed"}},
      {"tile_m in {1,}", 14, {"expected a number as in 64 or a range"}},
      {"tile_m in {1,x}", 14, {"\"x\" is read"}},
      {"tile_m in {4..1}", 12, {"from the smaller number to the larger"}},
      {"tile_m in {1..4*1}", 17, {"a factor of 2 or more"}},
      {"tile_m in {1..4+0}", 17, {"a step of 1 or more"}},
      {"tile_m in {0..4*2}", 12, {"starts at 1 or more"}},
      {"12ab == 1", 1, {"\"12ab\" is read"}},
      {"9223372036854775808 == 1", 1, {"63 bits"}},
      {"and 1", 1, {"\"and\" is read"}},
      {"1 == 1 && 2 == 2", 8, {"\"&\" is read"}},
      /* no value */
      {"1 == 1 and 5 / (tile_m - 128) == 1", 14, {"\"/\" cannot be computed: the divisor is 0"}},
      {"5 % 0 == 1", 3, {"the divisor is 0"}},
      {"9223372036854775807 + 1 == 0", 21, {"\"+\" cannot be computed: the result is beyond 64 bits"}},
      {"-9223372036854775807 - 2 == 0", 22, {"beyond 64 bits"}},
      {"9223372036854775807 * tile_m == 0", 21, {"beyond 64 bits"}},
      {"(-9223372036854775807 - 1) / -1 == 0", 28, {"beyond 64 bits"}},
      {"(-9223372036854775807 - 1) % -1 == 0", 28, {"beyond 64 bits"}},
      {"-(-9223372036854775807 - 1) == 0", 1, {"beyond 64 bits"}},
  };
  const struct ckt_instance instance = instance_of(LINE, CKT_FP16);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct ckt_error error = {0};
    bool holds;
    size_t column = 0;
    if (judge(cases[i].text, &instance, &holds, &column, &error) != CKT_E_INPUT)
      fail_msg("\"%s\" passed", cases[i].text);
    for (size_t part = 0; part < 2 && cases[i].said[part] != NULL; part++)
      assert_contains(error.text, cases[i].said[part]);
    if (column != cases[i].column)
      fail_msg("\"%s\": column %zu instead of %zu (%s)", cases[i].text, column, cases[i].column, error.text);
  }
}

/* A condition made of `count` times `part`, between two texts. */
static int judge_repeated(const char *before, const char *part, int count, const char *after, bool *holds,
                          struct ckt_error *error) {
  const struct ckt_instance instance = instance_of(LINE, CKT_FP16);
  struct ckt_text text = {0};
  size_t column;
  ckt_text_append(&text, before);
  for (int i = 0; i < count; i++)
    ckt_text_append(&text, part);
  ckt_text_append(&text, after);
  const int status = judge(ckt_text_string(&text), &instance, holds, &column, error);
  ckt_text_free(&text);
  return status;
}

static void size_is_limited(void **state) {
  (void)state;
  struct ckt_error error = {0};
  bool holds = false;
  assert_int_equal(judge_repeated("1", "+1", 200, " == 201", &holds, &error), CKT_OK);
  assert_true(holds);
  assert_int_equal(judge_repeated("1", "+1", 300, " == 301", &holds, &error), CKT_E_INPUT);
  assert_contains(error.text, "more than 512 terms");
  assert_int_equal(judge_repeated("", "not ", 64, "true", &holds, &error), CKT_OK);
  assert_true(holds);
  assert_int_equal(judge_repeated("", "not ", 65, "true", &holds, &error), CKT_E_INPUT);
  assert_contains(error.text, "more than 64 deep");
  assert_int_equal(judge_repeated("", "(", 100000, "", &holds, &error), CKT_E_INPUT);
  assert_contains(error.text, "more than 64 deep");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(conditions_are_computed),
      cmocka_unit_test(faults_are_named_with_their_column),
      cmocka_unit_test(size_is_limited),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
