#include "gen/range.h"

#include <string.h>

#include "common/number.h"

static int fail(struct ckt_span at, struct ckt_span *fault, struct ckt_error *error, const char *expected) {
  *fault = at;
  return ckt_fail(error, CKT_E_INPUT, "%s is read, expected %s", ckt_span_quote(at).text, expected);
}

static int read_number(struct ckt_span text, int64_t *value, struct ckt_span *fault,
                       struct ckt_error *error) {
  text = ckt_span_trim(text);
  switch (ckt_parse_i64(text.text, text.length, value)) {
  case CKT_NUMBER_OK:
    return CKT_OK;
  case CKT_NUMBER_OVERFLOW:
    return fail(text, fault, error, "a number of at most 63 bits");
  default:
    return fail(text, fault, error, "a number as in 64 or a range as in 1..4, 32..128+32 or 32..256*2");
  }
}

/* What stands behind the dots: last, last+step or last*factor. A sign belongs to its number. */
static int read_end(struct ckt_span text, struct ckt_range *range, struct ckt_span *fault,
                    struct ckt_error *error) {
  text = ckt_span_trim(text);
  size_t at = text.length > 0 ? 1 : 0;
  while (at < text.length && text.text[at] != '+' && text.text[at] != '*')
    at++;
  CKT_TRY(read_number((struct ckt_span){text.text, at}, &range->last, fault, error));
  if (at == text.length)
    return CKT_OK;
  const struct ckt_span step = {text.text + at + 1, text.length - at - 1};
  range->times = text.text[at] == '*';
  CKT_TRY(read_number(step, &range->step, fault, error));
  if (range->step < (range->times ? 2 : 1))
    return fail(step, fault, error, range->times ? "a factor of 2 or more" : "a step of 1 or more");
  return CKT_OK;
}

int ckt_range_parse(struct ckt_span text, struct ckt_range *range, struct ckt_span *fault,
                    struct ckt_error *error) {
  *range = (struct ckt_range){.step = 1};
  const char *dots = text.length > 0 ? memmem(text.text, text.length, "..", 2) : NULL;
  if (dots == NULL) {
    CKT_TRY(read_number(text, &range->first, fault, error));
    range->last = range->first;
    return CKT_OK;
  }
  const size_t before = (size_t)(dots - text.text);
  CKT_TRY(read_number((struct ckt_span){text.text, before}, &range->first, fault, error));
  CKT_TRY(read_end((struct ckt_span){dots + 2, text.length - before - 2}, range, fault, error));
  if (range->first > range->last)
    return fail(text, fault, error, "a range from the smaller number to the larger");
  if (range->times && range->first < 1)
    return fail(text, fault, error, "a range that starts at 1 or more, as it is to be multiplied");
  return CKT_OK;
}

bool ckt_range_next(const struct ckt_range *range, int64_t *value) {
  int64_t next;
  const bool fits =
      range->times ? ckt_mul_i64(*value, range->step, &next) : ckt_add_i64(*value, range->step, &next);
  if (!fits || next > range->last)
    return false;
  *value = next;
  return true;
}

bool ckt_range_contains(const struct ckt_range *range, int64_t value) {
  if (value < range->first || value > range->last)
    return false;
  if (!range->times) /* unsigned, since the distance may take 64 bits */
    return ((uint64_t)value - (uint64_t)range->first) % (uint64_t)range->step == 0;
  int64_t member = range->first;
  while (member < value && ckt_range_next(range, &member))
    ;
  return member == value;
}
