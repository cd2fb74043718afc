#include "gen/instance.h"

#include <ctype.h>
#include <string.h>

#include "gen/instance_reader.h"

void ckt_instance_mark(struct ckt_instance_reader *reader, struct ckt_span span) {
  reader->column = span.text != NULL ? (size_t)(span.text - reader->start) + 1 : 1;
}

/* The name that an instance in another notation starts with; its text is NULL when nothing opens a bracket
 * behind it. */
static struct ckt_span bracketed_name(struct ckt_span code) {
  size_t end = 0;
  while (end < code.length && (code.text[end] == '_' || code.text[end] == ':' ||
                               isalnum((unsigned char)code.text[end]) || (code.text[end] & 0x80) != 0))
    end++;
  return end < code.length && code.text[end] == '<' ? (struct ckt_span){code.text, end}
                                                    : (struct ckt_span){NULL, 0};
}

enum ckt_line_kind ckt_instance_line_kind(struct ckt_span line) {
  static const char device[] = "Device";
  const struct ckt_span code = ckt_instance_code(line);
  if (code.length == 0)
    return ckt_span_trim(line).length > 0 ? CKT_LINE_COMMENT : CKT_LINE_BLANK;
  if (code.text[0] == ';')
    return CKT_LINE_COMMENT;
  const struct ckt_span name = bracketed_name(code);
  if (name.text != NULL && ckt_span_contains(name, "GroupedConvolution"))
    return CKT_LINE_TILE;
  if (name.text != NULL || (code.length >= strlen(device) && memcmp(code.text, device, strlen(device)) == 0))
    return CKT_LINE_CK;
  return CKT_LINE_OWN;
}

struct ckt_span ckt_instance_code(struct ckt_span line) {
  const char *hash = line.text, *end = line.text + line.length;
  while (hash < end && (hash = memchr(hash, '#', (size_t)(end - hash))) != NULL) {
    const struct ckt_span before = {line.text, (size_t)(hash - line.text)};
    if (before.length == 0 || ckt_span_ends_with_space(before))
      return ckt_span_trim(before);
    hash++;
  }
  return ckt_span_trim(line);
}

static int read_line(struct ckt_instance_reader *reader, struct ckt_span line) {
  const struct ckt_span code = ckt_instance_code(line);
  switch (ckt_instance_line_kind(line)) {
  case CKT_LINE_CK:
    return ckt_instance_read_ck(reader, code);
  case CKT_LINE_TILE:
    return ckt_instance_read_tile(reader, code);
  case CKT_LINE_OWN:
    return ckt_instance_read_own(reader, code);
  case CKT_LINE_BLANK:
  case CKT_LINE_COMMENT:
    break;
  }
  return ckt_fail(reader->error, CKT_E_INPUT,
                  "the line holds no instance, expected one as in \"tile=128x128x32 warps=2x2x1 "
                  "warp_tile=32x32x8 vector=8,8,8\" or in the notation of Composable Kernel or CK Tile");
}

int ckt_instance_read(struct ckt_span line, const struct ckt_problem_defaults *defaults,
                      struct ckt_instance *instance, struct ckt_span *specialization, size_t *column,
                      struct ckt_error *error) {
  struct ckt_instance_reader reader;
  reader.start = line.text;
  reader.column = 1;
  reader.defaults = defaults;
  reader.specialization = (struct ckt_span){NULL, 0};
  reader.error = error;
  const int status = read_line(&reader, line);
  *column = reader.column;
  *specialization = reader.specialization;
  if (status == CKT_OK)
    *instance = reader.instance;
  return status;
}

int ckt_instance_parse(const char *line, const struct ckt_problem_defaults *defaults,
                       struct ckt_instance *instance, size_t *column, struct ckt_error *error) {
  struct ckt_span specialization;
  size_t found;
  const int status = ckt_instance_read(ckt_span_of(line), defaults, instance, &specialization, &found, error);
  if (column != NULL)
    *column = found;
  return status;
}
