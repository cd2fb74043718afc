#include "gen/instance.h"

#include <string.h>

#include "gen/instance_reader.h"

void ckt_instance_mark(struct ckt_instance_reader *reader, struct ckt_span span) {
  reader->column = span.text != NULL ? (size_t)(span.text - reader->start) + 1 : 1;
}

struct ckt_span ckt_instance_code(struct ckt_span line) {
  bool after_space = true;
  size_t at = 0;
  while (at < line.length && (line.text[at] != '#' || !after_space)) {
    const size_t space = ckt_utf8_space(line.text + at, line.length - at);
    after_space = space > 0;
    at += after_space ? space : 1;
  }
  return ckt_span_trim((struct ckt_span){line.text, at});
}

/* "tile=": what a line of our own begins with. */
static bool starts_with_field(struct ckt_span code) {
  size_t length = 0;
  while (length < code.length &&
         (code.text[length] == '_' || (code.text[length] >= 'a' && code.text[length] <= 'z')))
    length++;
  return length > 0 && length < code.length && code.text[length] == '=';
}

/* In Composable Kernel's lists a '#' or ';' anywhere disables the line; in our own form '#' starts a comment,
 * which may hold anything. */
enum ckt_line_kind ckt_instance_line_kind(struct ckt_span line) {
  static const char device[] = "Device";
  const struct ckt_span code = ckt_instance_code(line);
  if (code.length == 0)
    return ckt_span_trim(line).length > 0 ? CKT_LINE_COMMENT : CKT_LINE_BLANK;
  if (code.text[0] == ';')
    return CKT_LINE_COMMENT;
  const bool ck = ckt_span_contains(code, "<") ||
                  (code.length >= strlen(device) && memcmp(code.text, device, strlen(device)) == 0);
  if (!ck || starts_with_field(code))
    return CKT_LINE_OWN;
  return ckt_span_contains(line, "#") || ckt_span_contains(line, ";") ? CKT_LINE_COMMENT : CKT_LINE_CK;
}

static int read_line(struct ckt_instance_reader *reader, struct ckt_span line) {
  switch (ckt_instance_line_kind(line)) {
  case CKT_LINE_CK:
    return ckt_instance_read_ck(reader, line);
  case CKT_LINE_OWN:
    return ckt_instance_read_own(reader, line);
  case CKT_LINE_BLANK:
  case CKT_LINE_COMMENT:
    break;
  }
  return ckt_fail(reader->error, CKT_E_INPUT,
                  "the line holds no instance, expected one as in \"tile=128x128x32 warps=2x2x1 "
                  "warp_tile=32x32x8 vector=8,8,8\" or in Composable Kernel's notation");
}

int ckt_instance_parse(const char *line, const struct ckt_problem_defaults *defaults,
                       struct ckt_instance *instance, size_t *column, struct ckt_error *error) {
  struct ckt_instance_reader reader = {.start = line, .column = 1, .defaults = defaults, .error = error};
  const int status = read_line(&reader, ckt_span_of(line));
  if (column != NULL)
    *column = reader.column;
  if (status == CKT_OK)
    *instance = reader.instance;
  return status;
}
