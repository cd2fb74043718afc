/* Numbers from outside, and arithmetic on them that cannot overflow unnoticed. */
#ifndef CKT_COMMON_NUMBER_H
#define CKT_COMMON_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ckt_number_result { CKT_NUMBER_OK, CKT_NUMBER_EMPTY, CKT_NUMBER_NOT_A_NUMBER, CKT_NUMBER_OVERFLOW };

/* Reads a whole decimal number that fills text[0..length): an optional sign, then digits. No white space. */
enum ckt_number_result ckt_parse_i64(const char *text, size_t length, int64_t *value);
/* Reads a finite decimal floating-point number that fills text[0..length), whatever the locale. */
enum ckt_number_result ckt_parse_f64(const char *text, size_t length, double *value);

/* Why a number was refused, for a message: "is empty", "is not a number", "is too large". */
const char *ckt_number_problem(enum ckt_number_result result);

/* *result = a op b; false (and *result untouched) when it does not fit. */
static inline bool ckt_mul_i64(int64_t a, int64_t b, int64_t *result) {
  int64_t value;
  if (__builtin_mul_overflow(a, b, &value))
    return false;
  *result = value;
  return true;
}

static inline bool ckt_add_i64(int64_t a, int64_t b, int64_t *result) {
  int64_t value;
  if (__builtin_add_overflow(a, b, &value))
    return false;
  *result = value;
  return true;
}

/* a / b, rounded up; a >= 0, b > 0. */
static inline int64_t ckt_ceil_div_i64(int64_t a, int64_t b) {
  return a / b + (a % b != 0 ? 1 : 0);
}

#endif
