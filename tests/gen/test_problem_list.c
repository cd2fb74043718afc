/* Lists of problems: comments, blank lines, every line ending, a byte order mark, stdin; bad lines are reported
 * with file, line and column and left out, the others are kept; unreadable files. */
#include <fcntl.h>

#include "gen_test.h"

static const struct ckt_problem_defaults fp16 = {.direction = CKT_FORWARD, .dtype = CKT_FP16, .spatial = 2};

static void lines_are_read_whatever_their_ending(void **state) {
  (void)state;
  static const char content[] = "\xef\xbb\xbf# a comment\n"
                                "1,1,1,4,4,1,1\r\n"
                                "\r"
                                "  2,1,1,4,4,1,1  # behind a problem\r"
                                "   \t\n"
                                "fwd-fp32-nhwgc-g1-n3-k1-c1-in4x4-fil1x1-s1x1-d1x1-pl0x0-pr0x0\n"
                                "n=4,c=1,k=1,hi=4,wi=4,y=1,x=1";
  const struct scratch_file file = scratch_file(content, sizeof content - 1);
  struct ckt_problem_list list;
  struct ckt_text errors = {0};
  struct ckt_error error = {0};
  assert_int_equal(ckt_problem_list_read(file.path, &fp16, &list, &errors, &error), CKT_OK);
  assert_string_equal(ckt_text_string(&errors), "");
  assert_int_equal(list.bad_lines, 0);
  assert_int_equal(list.count, 4);
  for (size_t i = 0; i < list.count; i++)
    assert_int_equal(list.items[i].n, i + 1);
  assert_int_equal(list.items[2].dtype, CKT_FP32);
  ckt_problem_list_free(&list);
  ckt_text_free(&errors);
  unlink(file.path);
}

static void bad_lines_are_reported_and_left_out(void **state) {
  (void)state;
  static const char content[] = "1,1,1,4,4,1,1\n"
                                "\n"
                                "  1,1,oops,4,4,1,1\n"
                                "MIOpenDriver conv -n 3 -# 1\n"
                                "1,1,1,4,\0,1,1\n"
                                "2,1,1,4,4,1,1\n"
                                "1,1,1,2,2,3,3,2,2 # larger than its input\n";
  const struct scratch_file file = scratch_file(content, sizeof content - 1);
  struct ckt_problem_list list;
  struct ckt_text errors = {0};
  struct ckt_error error = {0};
  assert_int_equal(ckt_problem_list_read(file.path, &fp16, &list, &errors, &error), CKT_OK);
  assert_int_equal(list.count, 2);
  assert_int_equal(list.items[1].n, 2);
  assert_int_equal(list.bad_lines, 4);
  static const char *const said[] = {":3:7: K, the 3rd number,", ":4:1: a MIOpenDriver command",
                                     ":5:9: the line holds a NUL byte", ":7:1: the filter is larger"};
  for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
    char expected[128];
    snprintf(expected, sizeof expected, "%s%s", file.path, said[i]);
    assert_contains(ckt_text_string(&errors), expected);
  }
  ckt_problem_list_free(&list);
  ckt_text_free(&errors);
  unlink(file.path);
}

static void many_lines_are_kept_in_order(void **state) {
  (void)state;
  struct ckt_text content = {0};
  for (int i = 1; i <= 1000; i++)
    ckt_text_printf(&content, "%d,1,1,4,4,1,1\n", i);
  const struct scratch_file file = scratch_file(content.data, content.length);
  struct ckt_problem_list list;
  struct ckt_text errors = {0};
  struct ckt_error error = {0};
  assert_int_equal(ckt_problem_list_read(file.path, &fp16, &list, &errors, &error), CKT_OK);
  assert_int_equal(list.count, 1000);
  for (size_t i = 0; i < list.count; i++)
    assert_int_equal(list.items[i].n, i + 1);
  ckt_problem_list_free(&list);
  ckt_text_free(&content);
  unlink(file.path);
}

static void dash_is_stdin(void **state) {
  (void)state;
  static const char content[] = "1,1,1,4,4,1,1\nnonsense\n";
  const struct scratch_file file = scratch_file(content, sizeof content - 1);
  const int kept = dup(STDIN_FILENO), fd = open(file.path, O_RDONLY);
  assert_true(fd >= 0 && dup2(fd, STDIN_FILENO) == STDIN_FILENO);
  struct ckt_problem_list list;
  struct ckt_text errors = {0};
  struct ckt_error error = {0};
  const int status = ckt_problem_list_read("-", &fp16, &list, &errors, &error);
  if (kept >= 0) {
    dup2(kept, STDIN_FILENO);
    close(kept);
  }
  close(fd);
  unlink(file.path);
  assert_int_equal(status, CKT_OK);
  assert_int_equal(list.count, 1);
  assert_contains(ckt_text_string(&errors), "stdin:2:1: ");
  ckt_problem_list_free(&list);
  ckt_text_free(&errors);
}

static void unreadable_files_are_wrong_input(void **state) {
  (void)state;
  static const char *const paths[] = {"/nowhere/problems.txt", "/tmp"};
  for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
    struct ckt_problem_list list;
    struct ckt_text errors = {0};
    struct ckt_error error = {0};
    assert_int_equal(ckt_problem_list_read(paths[i], &fp16, &list, &errors, &error), CKT_E_INPUT);
    assert_int_equal(error.code, CKT_E_INPUT);
    assert_contains(error.text, paths[i]);
    assert_null(list.items);
    ckt_text_free(&errors);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lines_are_read_whatever_their_ending),
      cmocka_unit_test(bad_lines_are_reported_and_left_out),
      cmocka_unit_test(many_lines_are_kept_in_order),
      cmocka_unit_test(dash_is_stdin),
      cmocka_unit_test(unreadable_files_are_wrong_input),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
