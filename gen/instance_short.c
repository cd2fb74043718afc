#include "gen/instance_short.h"

#include "gen/ck_derive.h"
#include "gen/instance_reader.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static bool read_number(struct ckt_span *rest, int64_t *value) {
  bool too_large;
  const struct ckt_span part = ckt_span_cut(rest, ',');
  return part.text != NULL && ckt_instance_read_whole(part, value, &too_large);
}

/* What stands between the outermost brackets of Device...<...>. */
static bool find_inside(struct ckt_span text, struct ckt_span *inside) {
  *inside = ckt_span_trim(text);
  if (inside->length == 0 || inside->text[inside->length - 1] != '>')
    return false;
  inside->length--;
  const struct ckt_span name = ckt_span_cut(inside, '<');
  return inside->text != NULL && ckt_span_contains(name, "Device");
}

bool ckt_short_form_read(struct ckt_span text, struct ckt_short_form *form) {
  struct ckt_span rest;
  *form = (struct ckt_short_form){0};
  if (!find_inside(text, &rest) || !read_number(&rest, &form->block_size))
    return false;
  for (int i = 0; i < CKT_GEMM_DIMS; i++)
    if (!read_number(&rest, &form->tile[i]))
      return false;
  if (!ckt_ck_specialization_of(ckt_span_trim(ckt_span_cut(&rest, ',')), &form->specialization))
    return false;
  int64_t *const numbers[] = {&form->xdl[0],    &form->xdl[1],    &form->repeat[0], &form->repeat[1],
                              &form->vector[0], &form->vector[1], &form->vector[2]};
  form->complete = ckt_span_contains(text, "ConvFwd");
  for (size_t i = 0; i < COUNT(numbers) && form->complete; i++)
    form->complete = read_number(&rest, numbers[i]);
  return true;
}

bool ckt_short_form_matches(const struct ckt_short_form *form, const struct ckt_instance *instance) {
  bool same = form->complete && instance->direction == CKT_FORWARD &&
              instance->block_size == form->block_size && instance->specialization == form->specialization &&
              instance->tile[CKT_K] == form->tile[CKT_K];
  for (int i = CKT_M; i <= CKT_N; i++)
    same = same && instance->tile[i] == form->tile[i] && instance->warp_tile[i] == form->xdl[i] &&
           instance->tile[i] == instance->warps[i] * form->xdl[i] * form->repeat[i];
  for (int i = 0; i < CKT_GEMM_OPERANDS; i++)
    same = same && instance->vector[i] == form->vector[i];
  return same;
}
