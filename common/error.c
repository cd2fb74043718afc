#include "common/error.h"

#include <stdio.h>
#include <string.h>

int ckt_vfail(struct ckt_error *error, int code, const char *format, va_list arguments) {
  if (error == NULL)
    return code;
  char text[CKT_ERROR_TEXT_MAX]; /* the arguments may point into error->text */
  vsnprintf(text, sizeof text, format, arguments);
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
