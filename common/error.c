#include "common/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A value from outside must not steer the reader's terminal. Bytes above 0x7f are UTF-8, or look bad at worst. */
static void blank_controls(char *text) {
  for (; *text != '\0'; text++)
    if ((unsigned char)*text < ' ' || *text == 0x7f)
      *text = '?';
}

/* What is wrong is said at the end, after the value: a value that is too long is cut in the middle of the text. */
static void cut_middle(char text[CKT_ERROR_TEXT_MAX], const char *whole, size_t length) {
  static const char gap[] = " ... ";
  const size_t room = CKT_ERROR_TEXT_MAX - sizeof gap, head = room / 4, tail = room - head;
  memcpy(text, whole, head);
  memcpy(text + head, gap, sizeof gap - 1);
  memcpy(text + head + sizeof gap - 1, whole + length - tail, tail + 1);
}

int ckt_vfail(struct ckt_error *error, int code, const char *format, va_list arguments) {
  if (error == NULL)
    return code;
  char text[CKT_ERROR_TEXT_MAX]; /* the arguments may point into error->text */
  va_list again;
  va_copy(again, arguments);
  const int length = vsnprintf(text, sizeof text, format, arguments);
  char *whole = length >= CKT_ERROR_TEXT_MAX ? malloc((size_t)length + 1) : NULL;
  if (whole != NULL && vsnprintf(whole, (size_t)length + 1, format, again) == length)
    cut_middle(text, whole, (size_t)length);
  va_end(again);
  free(whole);
  blank_controls(text);
  error->code = code;
  memcpy(error->text, text, strlen(text) + 1);
  return code;
}

int ckt_fail(struct ckt_error *error, int code, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  ckt_vfail(error, code, format, arguments);
  va_end(arguments);
  return code;
}

const char *ckt_code_name(int code) {
  switch (code) {
  case CKT_OK:
    return "CKT_OK";
#define ROW(name, value)                                                                                     \
  case name:                                                                                                 \
    return #name;
    CKT_ERROR_CODES(ROW)
#undef ROW
  }
  return "unknown code";
}
