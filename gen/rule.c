#include "gen/rule.h"

#include <stdarg.h>
#include <stdio.h>

bool ckt_refuse(const struct ckt_rule_case *judged, const char *format, ...) {
  if (judged->reason == NULL)
    return false;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(judged->reason, CKT_REASON_MAX, format, arguments);
  va_end(arguments);
  return false;
}
