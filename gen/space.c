#include "gen/space.h"

#include <stdlib.h>
#include <string.h>

#include "gen/derived.h"
#include "gen/space_parts.h"

void ckt_space_free(struct ckt_space *space) {
  if (space == NULL)
    return;
  ckt_where_free(space->where);
  free(space->values);
  free(space);
}

bool ckt_space_is_plain(const struct ckt_space *space) {
  return space->axis_count == 0 && space->where == NULL;
}

int64_t ckt_space_size(const struct ckt_space *space) {
  return space->size;
}

const struct ckt_instance *ckt_space_first(const struct ckt_space *space) {
  return &space->base;
}

void ckt_space_settle_block(const struct ckt_space *space, struct ckt_instance *instance) {
  if (space->block_from_warps)
    instance->block_size = ckt_instance_threads(instance);
}

void ckt_space_start(struct ckt_space_walk *walk, const struct ckt_space *space, const struct ckt_arch *arch,
                     bool all) {
  *walk = (struct ckt_space_walk){
      .space = space, .arch = arch, .all = all, .number = -1, .instance = space->base};
}

static void set_axis(struct ckt_space_walk *walk, size_t index) {
  const struct ckt_space_axis *axis = &walk->space->axes[index];
  const int64_t *values = &walk->space->values[axis->first + walk->digits[index] * axis->width];
  for (size_t i = 0; i < axis->width; i++)
    ckt_field_set(&walk->instance, axis->field, axis->component + i, values[i]);
}

/* Counts one on, as an odometer does: the last set first. */
static bool advance(struct ckt_space_walk *walk) {
  if (walk->number + 1 >= walk->space->size)
    return false;
  if (walk->number++ < 0)
    return true;
  for (size_t index = walk->space->axis_count; index-- > 0;) {
    const bool carry = ++walk->digits[index] == walk->space->axes[index].count;
    if (carry)
      walk->digits[index] = 0;
    set_axis(walk, index);
    if (!carry)
      break;
  }
  ckt_space_settle_block(walk->space, &walk->instance);
  return true;
}

static int judge(struct ckt_space_walk *walk, struct ckt_span *fault, struct ckt_error *error) {
  const struct ckt_space *space = walk->space;
  walk->rule = NULL;
  walk->reason[0] = '\0';
  bool holds = true;
  if (space->where != NULL)
    CKT_TRY(ckt_where_holds(space->where, &walk->instance, &holds, fault, error));
  if (!holds) {
    walk->rule = "where";
    strcpy(walk->reason, "the condition is not true");
    return CKT_OK;
  }
  if (ckt_space_is_plain(space))
    return CKT_OK;
  const struct ckt_hardware_rule *broken =
      ckt_hardware_broken(&walk->instance, walk->arch, walk->all ? walk->reason : NULL);
  walk->rule = broken != NULL ? broken->word : NULL;
  return CKT_OK;
}

int ckt_space_next(struct ckt_space_walk *walk, bool *more, struct ckt_span *fault, struct ckt_error *error) {
  while ((*more = advance(walk))) {
    CKT_TRY(judge(walk, fault, error));
    if (walk->rule == NULL || walk->all)
      return CKT_OK;
  }
  return CKT_OK;
}

int ckt_space_count(const struct ckt_space *space, int64_t *kept, struct ckt_span *fault,
                    struct ckt_error *error) {
  struct ckt_space_walk walk;
  bool more = true;
  ckt_space_start(&walk, space, NULL, false);
  for (*kept = -1; more; ++*kept)
    CKT_TRY(ckt_space_next(&walk, &more, fault, error));
  return CKT_OK;
}

char *ckt_space_point_line(const struct ckt_space *space, const struct ckt_instance *instance) {
  char line[CKT_INSTANCE_KEY_MAX] = "";
  size_t length = 0;
  for (size_t i = 0; i < space->said_count && length + 1 < sizeof line; i++) {
    if (i > 0)
      line[length++] = ' ';
    length += ckt_field_print(space->said[i], instance, line + length, sizeof line - length);
  }
  return strdup(line);
}
