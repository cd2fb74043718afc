/* Instance lists: ids are line numbers, names, every line ending, comments, blank lines, duplicates; a bad line
 * stops the list with file, line and column; bytes that are no text; unreadable files; both notations in one
 * list. */
#include <inttypes.h>

#include "gen_test.h"

#define TILE "tile=64x64x32 warps=1x1x1 warp_tile=32x32x8 "
#define CK                                                                                                   \
  "DeviceX<2,L,L,L,L,fp16,t,t,t,t,t,op,op,op,Default,pad,1,64,64,64,32,8,8,32,32,2,2,Seq(4,16,1),o,o,2,1,8," \
  "0,"                                                                                                       \
  "Seq(4,16,1),o,o,2,1,8,0,1,1,Seq(1,16,1,4),1,t,t,Default,1>"

static int read_list(const char *content, size_t length, struct ckt_instance_list *list,
                     struct ckt_error *error) {
  const struct ckt_problem_defaults defaults = defaults_of(CKT_FP16);
  const struct scratch_file file = scratch_file(content, length);
  const int status = ckt_instance_list_read(file.path, &defaults, list, NULL, error);
  unlink(file.path);
  return status;
}

static void ids_are_line_numbers(void **state) {
  (void)state;
  static const char content[] =
      "# heading\n"
      "\n" TILE "vector=8,8,8\r\n" TILE "vector=8,8,8 # again\r" TILE "vector=4,4,4\n"
      "; off\n" TILE "vector=2,2,2 pipeline=v1\n" TILE "vector=4,4,4 scheduler=intrawave";
  struct ckt_instance_list list;
  struct ckt_error error = {0};
  if (read_list(content, sizeof content - 1, &list, &error) != CKT_OK)
    fail_msg("%s", error.text);
  static const int64_t ids[] = {2, 4, 6};
  static const int64_t vectors[] = {8, 4, 2};
  assert_int_equal(list.count, 3);
  for (size_t i = 0; i < list.count; i++) {
    char name[64];
    snprintf(name, sizeof name, "grouped_convolution_forward_tile_nhwgc_fp16_%" PRId64, ids[i]);
    assert_int_equal(list.entries[i].id, ids[i]);
    assert_string_equal(list.entries[i].name, name);
    assert_int_equal(list.entries[i].instance.vector[CKT_A], vectors[i]);
  }
  assert_string_equal(list.entries[2].line, TILE "vector=2,2,2 pipeline=v1");
  ckt_instance_list_free(&list);
}

/* Points are named by line and number in the product, and look like plain lines; what no device can run uses its
 * number up; a point that another line has already is left out. */
static void spaces_are_expanded(void **state) {
  (void)state;
  static const char content[] = "# heading\n" TILE "vector=4,4,4\n"
                                "tile={64,80,128}x64x32 warps=1x1x1 warp_tile=32x32x8 vector={8,4},4,4 where "
                                "vector_a == 4 or tile_m < 128 # few\n";
  static const struct {
    int64_t id, point;
    const char *name, *line;
  } expected[] = {
      {1, -1, "grouped_convolution_forward_tile_nhwgc_fp16_1", TILE "vector=4,4,4"},
      {2, 0, "grouped_convolution_forward_tile_nhwgc_fp16_2_0", TILE "vector=8,4,4"},
      {2, 5, "grouped_convolution_forward_tile_nhwgc_fp16_2_5",
       "tile=128x64x32 warps=1x1x1 warp_tile=32x32x8 vector=4,4,4"},
  };
  struct ckt_instance_list list;
  struct ckt_error error = {0};
  if (read_list(content, sizeof content - 1, &list, &error) != CKT_OK)
    fail_msg("%s", error.text);
  assert_int_equal(list.count, 3);
  for (size_t i = 0; i < list.count; i++) {
    assert_int_equal(list.entries[i].id, expected[i].id);
    assert_int_equal(list.entries[i].point, expected[i].point);
    assert_string_equal(list.entries[i].name, expected[i].name);
    assert_string_equal(list.entries[i].line, expected[i].line);
  }
  ckt_instance_list_free(&list);
}

/* A byte order mark, tabs, white space at the ends, blank lines in either notation, comments behind a line, a line
 * of 100 kB. */
static void oddities_of_text_are_fine(void **state) {
  (void)state;
  struct ckt_text content = {0};
  ckt_text_append(&content, "\xef\xbb\xbf" TILE "vector=8,8,8\t \n\n \t\n\t" CK " # what a line\n\n# ");
  for (int i = 0; i < 100 * 1024; i++)
    ckt_text_append(&content, "x");
  ckt_text_append(&content, "\n" TILE "vector=4,4,4");
  for (int i = 0; i < 100 * 1024; i++)
    ckt_text_append(&content, " ");
  ckt_text_append(&content, "pipeline=v1");
  struct ckt_instance_list list;
  struct ckt_error error = {0};
  if (read_list(ckt_text_string(&content), content.length, &list, &error) != CKT_OK)
    fail_msg("%s", error.text);
  ckt_text_free(&content);
  static const int64_t ids[] = {0, 3, 6};
  assert_int_equal(list.count, 3);
  for (size_t i = 0; i < 3; i++)
    assert_int_equal(list.entries[i].id, ids[i]);
  ckt_instance_list_free(&list);
}

static void both_notations_may_mix(void **state) {
  (void)state;
  static const char content[] = CK "\n#" CK "\n" CK "\n" TILE "vector=8,8,8\n" TILE "vector=1,1,1";
  struct ckt_instance_list list;
  struct ckt_error error = {0};
  if (read_list(content, sizeof content - 1, &list, &error) != CKT_OK)
    fail_msg("%s", error.text);
  assert_int_equal(list.count, 2); /* the third is the first again, and so is the last */
  assert_int_equal(list.entries[0].id, 0);
  assert_int_equal(list.entries[1].id, 3);
  ckt_instance_list_free(&list);
}

static void a_bad_line_stops_the_list(void **state) {
  (void)state;
#define CASE(content, said)                                                                                  \
  { content, sizeof(content) - 1, said }
  static const struct {
    const char *content;
    size_t length;
    const char *said;
  } cases[] = {
      CASE(TILE "vector=8,8,8\n# x\n" TILE "vector=8,8,9x\n", ":3:56: \"9x\" in vector=\"8,8,9x\""),
      CASE("tile={64,64}x64x32 warps=1x1x1\n", ":1:10: \"64\" brings a value of tile"),
      CASE(TILE "vector=8,8,8\n" TILE "vector={1,2},1,1 where 1 / (vector_a - 2) == 0",
           ":2:70: \"/\" cannot be computed: the divisor is 0"),
      CASE(TILE "vector=8,8,8 split_k=1..1000 num_groups_to_merge=1..201",
           ":1:1: with the 201000 instances of this space the list has more than 200000"),
      CASE("nonsense\n", ":1:1: \"nonsense\""),
      CASE(TILE "vector=8,8,8 dtype=bf16", ":1:58: the line says dtype=bf16"),
      CASE(CK "\n" TILE "vector=1,1,\xff\n", ":2:56: the line is not UTF-8"),
      CASE("# \xc3\x28\n", ":1:3: the line is not UTF-8"),
      CASE(TILE "\0vector=1,1,1\n", ":1:45: the line holds a NUL byte"),
      CASE("\xef\xbb\xbf" TILE "vector=1,1,x\n", ":1:56: \"x\" in vector="),
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct ckt_instance_list list;
    struct ckt_error error = {0};
    if (read_list(cases[i].content, cases[i].length, &list, &error) != CKT_E_INPUT)
      fail_msg("case %zu passed", i);
    assert_contains(error.text, cases[i].said);
    assert_int_equal(strncmp(error.text, "/tmp/cktune-test-", 17), 0);
    assert_null(list.entries);
    assert_int_equal(list.count, 0);
  }
}

static void all_bad_lines_are_told(void **state) {
  (void)state;
  static const char content[] = "nonsense\n" TILE "vector=8,8,8\n" CK "x\n" TILE "vector=1,1\n";
  const struct ckt_problem_defaults defaults = defaults_of(CKT_FP16);
  const struct scratch_file file = scratch_file(content, sizeof content - 1);
  struct ckt_instance_list list;
  struct ckt_text faults = {0};
  struct ckt_error error = {0};
  assert_int_equal(ckt_instance_list_read(file.path, &defaults, &list, &faults, &error), CKT_E_INPUT);
  unlink(file.path);
  assert_contains(error.text, "has 3 bad lines, expected none");
  assert_contains(ckt_text_string(&faults), ":1:1: \"nonsense\"");
  assert_contains(ckt_text_string(&faults), ":3:165: \"x\" stands behind the instance");
  assert_contains(ckt_text_string(&faults), ":4:52: vector=");
  ckt_text_free(&faults);
}

static void an_empty_list_is_empty(void **state) {
  (void)state;
  struct ckt_instance_list list;
  struct ckt_error error = {0};
  assert_int_equal(read_list("", 0, &list, &error), CKT_OK);
  assert_int_equal(list.count, 0);
  ckt_instance_list_free(&list);
  ckt_instance_list_free(&list); /* twice does no harm */
}

static void unreadable_files_are_wrong_input(void **state) {
  (void)state;
  const struct ckt_problem_defaults defaults = defaults_of(CKT_FP16);
  struct ckt_instance_list list;
  struct ckt_error error = {0};
  assert_int_equal(ckt_instance_list_read("/nowhere/list.conf", &defaults, &list, NULL, &error), CKT_E_INPUT);
  assert_int_equal(error.code, CKT_E_INPUT);
  assert_contains(error.text, "/nowhere/list.conf");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ids_are_line_numbers),      cmocka_unit_test(spaces_are_expanded),
      cmocka_unit_test(oddities_of_text_are_fine), cmocka_unit_test(both_notations_may_mix),
      cmocka_unit_test(a_bad_line_stops_the_list), cmocka_unit_test(all_bad_lines_are_told),
      cmocka_unit_test(an_empty_list_is_empty),    cmocka_unit_test(unreadable_files_are_wrong_input),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
