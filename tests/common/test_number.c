/* Numbers from outside: whole and decimal ones, every way in which they can be wrong, the ends of the range,
 * other locales; arithmetic that cannot overflow unnoticed. */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "common/number.h"

static void reads_whole_numbers(void **state) {
  (void)state;
  static const struct {
    const char *text;
    int64_t value;
  } rows[] = {{"0", 0},
              {"-0", 0},
              {"+7", 7},
              {"007", 7},
              {"9223372036854775807", INT64_MAX},
              {"-9223372036854775808", INT64_MIN}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    int64_t value = 42;
    assert_int_equal(ckt_parse_i64(rows[i].text, strlen(rows[i].text), &value), CKT_NUMBER_OK);
    assert_true(value == rows[i].value);
  }
  int64_t value;
  assert_int_equal(ckt_parse_i64("12,34", 2, &value), CKT_NUMBER_OK); /* only the given length */
  assert_int_equal(value, 12);
}

static void refuses_what_is_no_whole_number(void **state) {
  (void)state;
  static const struct {
    const char *text;
    enum ckt_number_result result;
  } rows[] = {{"", CKT_NUMBER_EMPTY},
              {"-", CKT_NUMBER_NOT_A_NUMBER},
              {"+", CKT_NUMBER_NOT_A_NUMBER},
              {"--1", CKT_NUMBER_NOT_A_NUMBER},
              {" 1", CKT_NUMBER_NOT_A_NUMBER},
              {"1 ", CKT_NUMBER_NOT_A_NUMBER},
              {"1.5", CKT_NUMBER_NOT_A_NUMBER},
              {"0x10", CKT_NUMBER_NOT_A_NUMBER},
              {"9223372036854775808", CKT_NUMBER_OVERFLOW},
              {"-9223372036854775809", CKT_NUMBER_OVERFLOW},
              {"99999999999999999999999999", CKT_NUMBER_OVERFLOW},
              {"99999999999999999999999999x", CKT_NUMBER_NOT_A_NUMBER}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    int64_t value = 42;
    assert_int_equal(ckt_parse_i64(rows[i].text, strlen(rows[i].text), &value), rows[i].result);
    assert_int_equal(value, 42); /* untouched */
    assert_int_equal(strncmp(ckt_number_problem(rows[i].result), "is ", 3), 0);
  }
}

static void reads_decimals(void **state) {
  (void)state;
  static const struct {
    const char *text;
    double value;
  } rows[] = {{"0.1", 0.1}, {"-1e-3", -1e-3}, {"5", 5}, {".5", 0.5}, {"2.", 2}, {"1E5", 1e5}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    double value = 42;
    assert_int_equal(ckt_parse_f64(rows[i].text, strlen(rows[i].text), &value), CKT_NUMBER_OK);
    assert_true(value == rows[i].value);
  }
}

static void refuses_what_is_no_decimal(void **state) {
  (void)state;
  static const struct {
    const char *text;
    enum ckt_number_result result;
  } rows[] = {
      {"", CKT_NUMBER_EMPTY},           {"-", CKT_NUMBER_NOT_A_NUMBER},     {"e", CKT_NUMBER_NOT_A_NUMBER},
      {"1e", CKT_NUMBER_NOT_A_NUMBER},  {"1.2.3", CKT_NUMBER_NOT_A_NUMBER}, {"inf", CKT_NUMBER_NOT_A_NUMBER},
      {"nan", CKT_NUMBER_NOT_A_NUMBER}, {"0x1p3", CKT_NUMBER_NOT_A_NUMBER}, {" 1", CKT_NUMBER_NOT_A_NUMBER},
      {"1,5", CKT_NUMBER_NOT_A_NUMBER}, {"1e999", CKT_NUMBER_OVERFLOW},     {"-1e999", CKT_NUMBER_OVERFLOW}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    double value = 42;
    assert_int_equal(ckt_parse_f64(rows[i].text, strlen(rows[i].text), &value), rows[i].result);
    assert_true(value == 42);
  }
  char digits[200];
  memset(digits, '1', sizeof digits);
  double value;
  assert_int_equal(ckt_parse_f64(digits, sizeof digits, &value), CKT_NUMBER_NOT_A_NUMBER);
}

/* The text is not NUL-terminated: the bytes after it must not be read. */
static void stays_within_the_given_length(void **state) {
  (void)state;
  char exact[3] = {'1', '.', '5'};
  double value;
  assert_int_equal(ckt_parse_f64(exact, sizeof exact, &value), CKT_NUMBER_OK);
  assert_true(value == 1.5);
  int64_t whole;
  assert_int_equal(ckt_parse_i64(exact, 1, &whole), CKT_NUMBER_OK);
  assert_int_equal(whole, 1);
}

static void ignores_the_locale(void **state) {
  (void)state;
  static const char *const locales[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "C.UTF-8", "C"};
  for (size_t i = 0; i < sizeof locales / sizeof *locales; i++) {
    if (setlocale(LC_ALL, locales[i]) == NULL)
      continue; /* not on this machine; the last always is */
    double value = 0;
    assert_int_equal(ckt_parse_f64("1.5", 3, &value), CKT_NUMBER_OK);
    assert_true(value == 1.5);
  }
}

static void multiplies_and_adds_with_care(void **state) {
  (void)state;
  int64_t result = 42;
  assert_false(ckt_mul_i64(INT64_MAX, 2, &result));
  assert_false(ckt_mul_i64(INT64_MIN, -1, &result));
  assert_false(ckt_add_i64(INT64_MAX, 1, &result));
  assert_false(ckt_add_i64(INT64_MIN, -1, &result));
  assert_int_equal(result, 42);
  assert_true(ckt_mul_i64((int64_t)1 << 31, (int64_t)1 << 31, &result));
  assert_true(result == (int64_t)1 << 62);
  assert_true(ckt_add_i64(INT64_MAX, -1, &result));
  assert_true(ckt_add_i64(3, 4, &result));
  assert_int_equal(result, 7);
  assert_int_equal(ckt_ceil_div_i64(0, 5), 0);
  assert_int_equal(ckt_ceil_div_i64(5, 5), 1);
  assert_int_equal(ckt_ceil_div_i64(6, 5), 2);
  assert_true(ckt_ceil_div_i64(INT64_MAX, 2) == (int64_t)1 << 62);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_whole_numbers),
      cmocka_unit_test(refuses_what_is_no_whole_number),
      cmocka_unit_test(reads_decimals),
      cmocka_unit_test(refuses_what_is_no_decimal),
      cmocka_unit_test(stays_within_the_given_length),
      cmocka_unit_test(ignores_the_locale),
      cmocka_unit_test(multiplies_and_adds_with_care),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
