#include "common/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static enum ckt_log_level current_level = CKT_LOG_NOTE;

void ckt_log_set_level(enum ckt_log_level level) {
  current_level = level;
}

void ckt_log(enum ckt_log_level level, const char *format, ...) {
  static const char *const prefix[] = {"", "error: ", "warning: ", "", "debug: "};
  if (level > current_level || level == CKT_LOG_QUIET)
    return;
  char line[2048];
  const int start = snprintf(line, sizeof line - 1, "cktune: %s", prefix[level]);
  va_list arguments;
  va_start(arguments, format);
  const int more = vsnprintf(line + start, sizeof line - 1 - (size_t)start, format, arguments);
  va_end(arguments);
  size_t length = (size_t)start + (more > 0 ? (size_t)more : 0);
  if (length > sizeof line - 2)
    length = sizeof line - 2;
  line[length++] = '\n';
  if (write(STDERR_FILENO, line, length) < 0)
    return; /* nobody is left to tell */
}

void ckt_log_lines(enum ckt_log_level level, const char *text) {
  while (*text != '\0') {
    const size_t length = strcspn(text, "\n");
    ckt_log(level, "%.*s", (int)length, text);
    text += length + (text[length] == '\n' ? 1 : 0);
  }
}
