/* Whole numbers as Composable Kernel's generator reads them, with Python's int(). */
#include "gen/instance_reader.h"

/* Code points of the zeros of Unicode's category Nd (Unicode 14.0, DerivedNumericType.txt); the digits 1 to 9
 * follow each of them. */
static const unsigned zeros[] = {
    0x30,    0x660,   0x6f0,   0x7c0,   0x966,   0x9e6,   0xa66,   0xae6,   0xb66,   0xbe6,   0xc66,
    0xce6,   0xd66,   0xde6,   0xe50,   0xed0,   0xf20,   0x1040,  0x1090,  0x17e0,  0x1810,  0x1946,
    0x19d0,  0x1a80,  0x1a90,  0x1b50,  0x1bb0,  0x1c40,  0x1c50,  0xa620,  0xa8d0,  0xa900,  0xa9d0,
    0xa9f0,  0xaa50,  0xabf0,  0xff10,  0x104a0, 0x10d30, 0x11066, 0x110f0, 0x11136, 0x111d0, 0x112f0,
    0x11450, 0x114d0, 0x11650, 0x116c0, 0x11730, 0x118e0, 0x11950, 0x11c50, 0x11d50, 0x11da0, 0x16a60,
    0x16ac0, 0x16b50, 0x1d7ce, 0x1d7d8, 0x1d7e2, 0x1d7ec, 0x1d7f6, 0x1e140, 0x1e2f0, 0x1e950, 0x1fbf0,
};

int ckt_instance_digit(unsigned point) {
  if (point < 0x80)
    return point >= '0' && point <= '9' ? (int)(point - '0') : -1;
  for (size_t i = 0; i < sizeof zeros / sizeof *zeros; i++)
    if (point >= zeros[i] && point <= zeros[i] + 9)
      return (int)(point - zeros[i]);
  return -1;
}

/* What nearly every number of a list is: a few plain digits. */
static bool read_short(struct ckt_span text, int64_t *value) {
  enum { SHORT = 5 }; /* digits, which stay below CKT_INSTANCE_NUMBER_MAX */
  int64_t result = 0;
  for (size_t i = 0; i < text.length; i++) {
    const unsigned digit = (unsigned)(unsigned char)text.text[i] - '0';
    if (digit > 9 || text.length > SHORT)
      return false;
    result = result * 10 + digit;
  }
  *value = result;
  return text.length > 0;
}

bool ckt_instance_read_whole(struct ckt_span text, int64_t *value, bool *too_large) {
  *too_large = false;
  if (read_short(text, value))
    return true;
  text = ckt_span_trim(text);
  size_t at = text.length > 0 && (text.text[0] == '-' || text.text[0] == '+') ? 1 : 0;
  const bool negative = at == 1 && text.text[0] == '-';
  int64_t result = 0;
  bool beyond = false, after_digit = false;
  while (at < text.length) {
    unsigned point = 0;
    const size_t size = ckt_utf8_decode(text.text + at, text.length - at, &point);
    const int digit = size > 0 ? ckt_instance_digit(point) : -1;
    if (digit < 0 && !(after_digit && point == '_'))
      return false;
    after_digit = digit >= 0;
    if (after_digit && !beyond)
      result = result * 10 + digit;
    beyond |= result > CKT_INSTANCE_NUMBER_MAX;
    at += size;
  }
  if (!after_digit)
    return false;
  *too_large = beyond;
  *value = negative ? -result : result;
  return !beyond;
}
