/* Errors: code and sentence, cutting, control characters, arguments that point into the error itself, names of codes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "common/error.h"

static void fills_code_and_sentence(void **state) {
  (void)state;
  struct ckt_error error = {0};
  assert_int_equal(ckt_fail(&error, CKT_E_INPUT, "%s is %d", "n", 5), CKT_E_INPUT);
  assert_int_equal(error.code, CKT_E_INPUT);
  assert_string_equal(error.text, "n is 5");
  assert_int_equal(ckt_fail(NULL, CKT_E_IO, "%s", "nobody listens"), CKT_E_IO);
}

static void cuts_a_long_sentence(void **state) {
  (void)state;
  struct ckt_error error = {0};
  char text[2 * CKT_ERROR_TEXT_MAX];
  memset(text, 'x', sizeof text - 1);
  text[sizeof text - 1] = '\0';
  ckt_fail(&error, CKT_E_IO, "%s", text);
  assert_int_equal(strlen(error.text), CKT_ERROR_TEXT_MAX - 1);
}

static void what_is_wrong_survives_a_long_value(void **state) {
  (void)state;
  struct ckt_error error = {0};
  for (size_t length = CKT_ERROR_TEXT_MAX - 64; length < CKT_ERROR_TEXT_MAX + 64; length++) {
    char value[CKT_ERROR_TEXT_MAX + 64];
    memset(value, '9', length);
    value[length] = '\0';
    ckt_fail(&error, CKT_E_USAGE, "--jobs: %s is too large", value);
    assert_int_equal(strncmp(error.text, "--jobs: 999", 11), 0);
    assert_non_null(strstr(error.text, "9 is too large"));
    assert_true(strlen(error.text) < CKT_ERROR_TEXT_MAX);
  }
}

static void control_characters_do_not_reach_the_terminal(void **state) {
  (void)state;
  struct ckt_error error = {0};
  ckt_fail(&error, CKT_E_USAGE, "%s", "a\x1b[31mb\nc\x7f\xc3\xa9");
  assert_string_equal(error.text, "a?[31mb?c?\xc3\xa9");
}

static void an_argument_may_be_the_error_itself(void **state) {
  (void)state;
  struct ckt_error error = {0};
  ckt_fail(&error, CKT_E_IO, "no space");
  ckt_fail(&error, CKT_E_STORE, "cannot write: %s; %s", error.text, error.text);
  assert_string_equal(error.text, "cannot write: no space; no space");
}

static void every_code_has_a_name(void **state) {
  (void)state;
  assert_string_equal(ckt_code_name(CKT_OK), "CKT_OK");
  assert_string_equal(ckt_code_name(CKT_E_INPUT), "CKT_E_INPUT");
  for (int code = -15; code <= 0; code++)
    assert_int_equal(strncmp(ckt_code_name(code), "CKT_", 4), 0);
  assert_non_null(ckt_code_name(99));
}

static int tries(int status, int *reached) {
  CKT_TRY(status);
  *reached = 1;
  return CKT_OK;
}

static void try_forwards_a_failure(void **state) {
  (void)state;
  int reached = 0;
  assert_int_equal(tries(CKT_E_IO, &reached), CKT_E_IO);
  assert_int_equal(reached, 0);
  assert_int_equal(tries(CKT_OK, &reached), CKT_OK);
  assert_int_equal(reached, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fills_code_and_sentence),
      cmocka_unit_test(cuts_a_long_sentence),
      cmocka_unit_test(what_is_wrong_survives_a_long_value),
      cmocka_unit_test(control_characters_do_not_reach_the_terminal),
      cmocka_unit_test(an_argument_may_be_the_error_itself),
      cmocka_unit_test(every_code_has_a_name),
      cmocka_unit_test(try_forwards_a_failure),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
