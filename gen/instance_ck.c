/* Composable Kernel's notation by the hardware's rules, as a reader of instance lines. */
#include <string.h>

#include "gen/ck_derive.h"
#include "gen/instance_reader.h"
#include "gen/instance_short.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* A name as DeviceGroupedConvBwdWeight... says its direction. */
static int check_direction(struct ckt_instance_reader *reader, struct ckt_span line) {
  static const char *const marks[] = {[CKT_FORWARD] = "ConvFwd",
                                      [CKT_BACKWARD_DATA] = "ConvBwdData",
                                      [CKT_BACKWARD_WEIGHT] = "ConvBwdWeight"};
  struct ckt_span rest = line;
  const struct ckt_span name = ckt_span_cut(&rest, '<');
  for (size_t i = 0; i < COUNT(marks); i++)
    if (i != reader->defaults->direction && ckt_span_contains(name, marks[i])) {
      ckt_instance_mark(reader, line);
      return ckt_fail(reader->error, CKT_E_INPUT, "the instance is for %s, but the list is read as %s",
                      ckt_direction_word((enum ckt_direction)i),
                      ckt_direction_word(reader->defaults->direction));
    }
  return CKT_OK;
}

static int check_form(struct ckt_instance_reader *reader, struct ckt_span line) {
  if (reader->defaults == NULL)
    return ckt_fail(reader->error, CKT_E_INPUT,
                    "the text is an instance in Composable Kernel's notation, expected a key: direction=... "
                    "dtype=... and so on");
  CKT_TRY(check_direction(reader, line));
  struct ckt_short_form form;
  if (!ckt_short_form_read(line, &form))
    return CKT_OK;
  return ckt_fail(
      reader->error, CKT_E_INPUT,
      "the instance is in the short form of ckProfiler's results, which does not say enough to make a "
      "kernel: expected the line that ckProfiler --instances prints; --filter takes the short form");
}

int ckt_instance_read_ck(struct ckt_instance_reader *reader, struct ckt_span text) {
  struct ckt_ck_statement statement;
  struct ckt_ck_fault fault;
  ckt_instance_mark(reader, text);
  CKT_TRY(check_form(reader, text));
  fault.at = NULL;
  fault.reason = (struct ckt_text){0};
  int status = ckt_ck_state(text, false, reader->defaults->direction, CKT_RULES_HARDWARE, &statement, &fault);
  if (status == CKT_OK)
    status = ckt_ck_derive_hardware(&statement, reader->defaults, &reader->instance, &fault);
  ckt_text_free(&fault.reason); /* another program's words */
  if (status == CKT_OK) {
    reader->specialization = ckt_ck_specialization_word(&statement);
    return CKT_OK;
  }
  if (fault.at != NULL)
    ckt_instance_mark(reader, (struct ckt_span){fault.at, 0});
  return ckt_fail(reader->error, status, "%s", fault.error.text);
}
