#include "common/number.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum ckt_number_result ckt_parse_i64(const char *text, size_t length, int64_t *value) {
  size_t at = 0;
  bool negative = false;
  if (length > 0 && (text[0] == '-' || text[0] == '+')) {
    negative = text[0] == '-';
    at = 1;
  }
  if (length == 0)
    return CKT_NUMBER_EMPTY;
  if (at == length)
    return CKT_NUMBER_NOT_A_NUMBER;
  int64_t result = 0;
  bool overflow = false;
  for (; at < length; at++) {
    if (text[at] < '0' || text[at] > '9')
      return CKT_NUMBER_NOT_A_NUMBER;
    const int64_t digit = text[at] - '0';
    overflow |= __builtin_mul_overflow(result, 10, &result);
    overflow |= __builtin_add_overflow(result, negative ? -digit : digit, &result);
  }
  if (overflow)
    return CKT_NUMBER_OVERFLOW;
  *value = result;
  return CKT_NUMBER_OK;
}

/* strtod reads hexadecimal, "inf" and "nan" too, and the locale's decimal point: only plain decimals pass. */
enum ckt_number_result ckt_parse_f64(const char *text, size_t length, double *value) {
  char copy[64];
  if (length == 0)
    return CKT_NUMBER_EMPTY;
  if (length >= sizeof copy)
    return CKT_NUMBER_NOT_A_NUMBER;
  memcpy(copy, text, length);
  copy[length] = '\0';
  if (strspn(copy, "+-.0123456789eE") < length)
    return CKT_NUMBER_NOT_A_NUMBER;
  static const char c_locale[] = "C";
  locale_t locale = newlocale(LC_NUMERIC_MASK, c_locale, (locale_t)0);
  if (locale == (locale_t)0)
    return CKT_NUMBER_NOT_A_NUMBER;
  char *end;
  const double result = strtod_l(copy, &end, locale);
  freelocale(locale);
  if (*end != '\0' || end == copy)
    return CKT_NUMBER_NOT_A_NUMBER;
  if (!isfinite(result))
    return CKT_NUMBER_OVERFLOW;
  *value = result;
  return CKT_NUMBER_OK;
}

const char *ckt_number_problem(enum ckt_number_result result) {
  switch (result) {
  case CKT_NUMBER_OK:
    return "is a number";
  case CKT_NUMBER_EMPTY:
    return "is empty";
  case CKT_NUMBER_NOT_A_NUMBER:
    return "is not a number";
  case CKT_NUMBER_OVERFLOW:
    return "is too large";
  }
  return "is not a number";
}
