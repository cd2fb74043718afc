/* The reader of our own notation: name=value in any order, sets in the place of values, a `where` clause. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/number.h"
#include "gen/instance_reader.h"
#include "gen/range.h"
#include "gen/space_parts.h"

/* Values of one set. */
#define SET_MAX 1024

struct parser {
  struct ckt_space *space;
  const struct ckt_problem_defaults *defaults;
  struct ckt_span line;
  struct ckt_span words[CKT_FIELD_COUNT]; /* name=value as it stands in the line, for messages */
  struct ckt_span value;                  /* of the field at hand */
  struct ckt_span *fault;
  struct ckt_error *error;
};

#define FAIL(parser, at, ...) (*(parser)->fault = (at), ckt_fail((parser)->error, CKT_E_INPUT, __VA_ARGS__))

/* --- values --- */

/* `part` is what is wrong in the value at hand, or all of it. */
static int fail_value(const struct parser *parser, const struct ckt_field *field, struct ckt_span part) {
  if (part.length == parser->value.length)
    return FAIL(parser, part, "%s=%s cannot be read, expected %s", field->name, ckt_span_quote(part).text,
                field->example);
  return FAIL(parser, part, "%s in %s=%s cannot be read, expected %s", ckt_span_quote(part).text, field->name,
              ckt_span_quote(parser->value).text, field->example);
}

static int check_limit(const struct parser *parser, const struct ckt_field *field, struct ckt_span at,
                       int64_t value) {
  if (value >= -CKT_INSTANCE_NUMBER_MAX && value <= CKT_INSTANCE_NUMBER_MAX)
    return CKT_OK;
  return FAIL(parser, at, "%s has a number of %" PRId64 ", expected at most %" PRId64, field->name, value,
              CKT_INSTANCE_NUMBER_MAX);
}

static int add_value(const struct parser *parser, int64_t value) {
  struct ckt_space *space = parser->space;
  if (space->value_count == space->value_capacity) {
    const size_t capacity = space->value_capacity > 0 ? 2 * space->value_capacity : 32;
    int64_t *values = realloc(space->values, capacity * sizeof *values);
    if (values == NULL)
      return ckt_fail(parser->error, CKT_E_NOMEM, "memory ran out");
    space->values = values;
    space->value_capacity = capacity;
  }
  space->values[space->value_count++] = value;
  return CKT_OK;
}

static int fail_again(const struct parser *parser, const struct ckt_space_axis *axis, struct ckt_span text) {
  return FAIL(parser, text, "%s brings a value of %s that stands in the set already",
              ckt_span_quote(text).text, axis->field->name);
}

/* Counts the value whose numbers were added last. */
static int count_value(const struct parser *parser, struct ckt_space_axis *axis, struct ckt_span text) {
  if (++axis->count > SET_MAX)
    return FAIL(parser, text, "the set of %s has more than %d values", axis->field->name, SET_MAX);
  return CKT_OK;
}

/* The same, and it must not be in the set already. */
static int count_new_value(const struct parser *parser, struct ckt_space_axis *axis, struct ckt_span text) {
  const int64_t *values = &parser->space->values[axis->first];
  const int64_t *added = values + axis->count * axis->width;
  for (size_t i = 0; i < axis->count; i++)
    if (memcmp(values + i * axis->width, added, axis->width * sizeof *added) == 0)
      return fail_again(parser, axis, text);
  return count_value(parser, axis, text);
}

static int add_range(const struct parser *parser, struct ckt_space_axis *axis, struct ckt_span text) {
  struct ckt_range range;
  CKT_TRY(ckt_range_parse(text, &range, parser->fault, parser->error));
  CKT_TRY(check_limit(parser, axis->field, text, range.first));
  CKT_TRY(check_limit(parser, axis->field, text, range.last));
  for (size_t i = 0; i < axis->count; i++)
    if (ckt_range_contains(&range, parser->space->values[axis->first + i]))
      return fail_again(parser, axis, text);
  int64_t value = range.first;
  do {
    CKT_TRY(add_value(parser, value));
    CKT_TRY(count_value(parser, axis, text));
  } while (ckt_range_next(&range, &value));
  return CKT_OK;
}

/* Numbers that are set together: 64x128, (8,8,8). */
static int add_tuple(const struct parser *parser, struct ckt_space_axis *axis, struct ckt_span text,
                     struct ckt_span numbers) {
  for (size_t i = 0; i < axis->width; i++) {
    const struct ckt_span number = ckt_span_cut(&numbers, axis->field->separator);
    int64_t value = 0;
    bool too_large = false;
    if (number.text == NULL || !ckt_instance_read_whole(number, &value, &too_large))
      return FAIL(parser, text,
                  "%s is read, expected %zu numbers of %s with '%c' between, as in the set's first value",
                  ckt_span_quote(text).text, axis->width, axis->field->name, axis->field->separator);
    CKT_TRY(add_value(parser, value));
  }
  if (numbers.text != NULL)
    return FAIL(parser, text, "%s has more than the %zu numbers of the set's first value",
                ckt_span_quote(text).text, axis->width);
  return count_new_value(parser, axis, text);
}

static int add_word(const struct parser *parser, struct ckt_space_axis *axis, struct ckt_span text) {
  int64_t index = 0;
  if (!ckt_field_word(axis->field, text, &index))
    return fail_value(parser, axis->field, text);
  CKT_TRY(add_value(parser, index));
  return count_new_value(parser, axis, text);
}

/* --- sets --- */

/* Takes what stands before the first `separator` outside brackets off the front of *rest. */
static struct ckt_span cut_outside(struct ckt_span *rest, char separator) {
  const struct ckt_span whole = *rest;
  int depth = 0;
  for (size_t i = 0; i < whole.length; i++) {
    const char byte = whole.text[i];
    if (byte == separator && depth == 0) {
      *rest = (struct ckt_span){whole.text + i + 1, whole.length - i - 1};
      return (struct ckt_span){whole.text, i};
    }
    depth += byte == '{' || byte == '(' ? 1 : byte == '}' || byte == ')' ? -1 : 0;
  }
  *rest = (struct ckt_span){NULL, 0};
  return whole;
}

static bool is_enclosed(struct ckt_span text, char open, char close) {
  return text.length >= 2 && text.text[0] == open && text.text[text.length - 1] == close;
}

static struct ckt_span inside(struct ckt_span text) {
  return ckt_span_trim((struct ckt_span){text.text + 1, text.length - 2});
}

static size_t count_parts(struct ckt_span text, char separator) {
  size_t count = 0;
  while (text.text != NULL) {
    ckt_span_cut(&text, separator);
    count++;
  }
  return count;
}

static int add_element(const struct parser *parser, struct ckt_space_axis *axis, struct ckt_span text) {
  if (axis->field->kind != CKT_FIELD_NUMBERS)
    return add_word(parser, axis, text);
  const struct ckt_span numbers = is_enclosed(text, '(', ')') ? inside(text) : text;
  if (axis->width == 0) /* the first element */
    axis->width = axis->field->separator != '\0' ? count_parts(numbers, axis->field->separator) : 1;
  if (axis->component + axis->width > axis->field->width)
    return fail_value(parser, axis->field, text);
  return axis->width > 1 ? add_tuple(parser, axis, text, numbers) : add_range(parser, axis, numbers);
}

static int read_set(const struct parser *parser, struct ckt_space_axis *axis) {
  struct ckt_span rest = inside(axis->text);
  axis->width = axis->field->kind == CKT_FIELD_NUMBERS ? 0 : 1;
  while (rest.text != NULL)
    CKT_TRY(add_element(parser, axis, ckt_span_trim(cut_outside(&rest, ','))));
  return CKT_OK;
}

/* A set of one value says no more than the value itself. */
static void keep_axis(struct ckt_space *space, const struct ckt_space_axis *axis) {
  if (axis->count > 1) {
    space->axes[space->axis_count++] = *axis;
    return;
  }
  for (size_t i = 0; i < axis->width; i++)
    ckt_field_set(&space->base, axis->field, axis->component + i, space->values[axis->first + i]);
  space->value_count = axis->first;
}

static bool is_range(const struct ckt_field *field, struct ckt_span text) {
  return field->kind == CKT_FIELD_NUMBERS && ckt_span_contains(text, "..");
}

/* What stands in the place of one number or word; several components when it is a set of several together. */
static int read_item(const struct parser *parser, const struct ckt_field *field, struct ckt_span text,
                     size_t *component) {
  struct ckt_space *space = parser->space;
  struct ckt_space_axis axis = {
      .field = field, .component = *component, .width = 1, .first = space->value_count, .text = text};
  int64_t value = 0;
  bool too_large = false;
  if (is_enclosed(text, '{', '}')) {
    CKT_TRY(read_set(parser, &axis));
    keep_axis(space, &axis);
  } else if (is_range(field, text)) {
    CKT_TRY(add_range(parser, &axis, text));
    keep_axis(space, &axis);
  } else if (field->kind == CKT_FIELD_NUMBERS ? ckt_instance_read_whole(text, &value, &too_large)
                                              : ckt_field_word(field, text, &value)) {
    ckt_field_set(&space->base, field, *component, value);
  } else {
    return fail_value(parser, field, text);
  }
  *component += axis.width;
  return CKT_OK;
}

static int read_value(const struct parser *parser, const struct ckt_field *field, struct ckt_span value) {
  struct ckt_span rest = value;
  size_t component = 0;
  while (component < field->width) {
    if (rest.text == NULL)
      return fail_value(parser, field, value);
    const struct ckt_span item = field->width > 1 ? cut_outside(&rest, field->separator) : rest;
    if (field->width == 1)
      rest.text = NULL;
    CKT_TRY(read_item(parser, field, item, &component));
  }
  return rest.text == NULL ? CKT_OK : fail_value(parser, field, value);
}

/* --- the line --- */

static int read_field(struct parser *parser, struct ckt_span word) {
  struct ckt_span value = word;
  const struct ckt_span name = ckt_span_cut(&value, '=');
  if (value.text == NULL)
    return FAIL(parser, word,
                "%s is neither name=value (as in tile=128x128x32) nor an instance in Composable Kernel's "
                "notation",
                ckt_span_quote(word).text);
  const struct ckt_field *field = ckt_field_find(name);
  if (field == NULL)
    return FAIL(parser, word,
                "%s is not a field of an instance, expected tile, warps, warp_tile, vector, spec, pipeline, "
                "scheduler, double_smem_buffer, num_wave_groups, num_groups_to_merge, split_image, "
                "explicit_gemm, two_stage, split_k, specialize_shape, block_size, impl, direction, dtype or "
                "spatial",
                ckt_span_quote(name).text);
  bool *given = &parser->space->given[field - ckt_fields];
  if (*given)
    return FAIL(parser, word, "%s is given twice, expected once", field->name);
  *given = true;
  parser->space->said[parser->space->said_count++] = field;
  parser->words[field - ckt_fields] = word;
  parser->value = value;
  return read_value(parser, field, value);
}

/* Takes the next word off the front: up to white space that no bracket encloses. */
static int cut_word(const struct parser *parser, struct ckt_span *rest, struct ckt_span *word) {
  *rest = ckt_span_trim(*rest);
  size_t end = 0, open = 0;
  int depth = 0;
  for (; end < rest->length; end++) {
    const char byte = rest->text[end];
    if (depth == 0 && ckt_utf8_space(rest->text + end, rest->length - end) > 0)
      break;
    if ((byte == '{' || byte == '(') && depth++ == 0)
      open = end;
    if ((byte == '}' || byte == ')') && --depth < 0)
      return FAIL(parser, ((struct ckt_span){rest->text + end, 1}), "'%c' closes nothing", byte);
  }
  if (depth > 0)
    return FAIL(parser, ((struct ckt_span){rest->text + open, 1}), "'%c' is not closed", rest->text[open]);
  *word = (struct ckt_span){rest->text, end};
  *rest = (struct ckt_span){rest->text + end, rest->length - end};
  return CKT_OK;
}

static int read_words(struct parser *parser) {
  struct ckt_span rest = parser->line, word = {NULL, 0};
  CKT_TRY(cut_word(parser, &rest, &word));
  while (word.length > 0 && !ckt_span_equals(word, "where")) {
    CKT_TRY(read_field(parser, word));
    CKT_TRY(cut_word(parser, &rest, &word));
  }
  if (word.length == 0)
    return CKT_OK;
  return ckt_where_parse(rest, &parser->space->where, parser->fault, parser->error);
}

/* --- what the line does not say --- */

static const char *word_of(const struct ckt_instance *instance, const struct ckt_field *field) {
  return field->words[ckt_field_get(instance, field, 0)];
}

/* Direction, data type and dimensions: taken from the list, or held against it. */
static int settle_with_list(struct parser *parser, const struct ckt_field *field, bool given,
                            struct ckt_span word) {
  struct ckt_instance *base = &parser->space->base;
  if (parser->defaults == NULL)
    return given ? CKT_OK
                 : FAIL(parser, parser->line, "%s is missing, expected %s", field->name, field->example);
  const struct ckt_instance wanted = {.direction = parser->defaults->direction,
                                      .dtype = parser->defaults->dtype,
                                      .spatial = parser->defaults->spatial};
  if (!given)
    ckt_field_set(base, field, 0, ckt_field_get(&wanted, field, 0));
  if (ckt_field_get(base, field, 0) == ckt_field_get(&wanted, field, 0))
    return CKT_OK;
  return FAIL(parser, word, "the line says %s=%s, but the list is read as %s", field->name,
              word_of(base, field), word_of(&wanted, field));
}

static int settle(struct parser *parser, size_t index) {
  const struct ckt_field *field = &ckt_fields[index];
  const bool given = parser->space->given[index];
  if (field->source == CKT_FIELD_FROM_LIST)
    return settle_with_list(parser, field, given, parser->words[index]);
  if (given)
    return CKT_OK;
  if (field->source == CKT_FIELD_REQUIRED)
    return FAIL(parser, parser->line, "%s is missing, expected %s=%s", field->name, field->name,
                field->example);
  if (field->source == CKT_FIELD_FROM_VALUE)
    ckt_field_set(&parser->space->base, field, 0, field->value);
  else
    parser->space->block_from_warps = true;
  return CKT_OK;
}

static int check_positive(const struct parser *parser, size_t index) {
  const struct ckt_field *field = &ckt_fields[index];
  const bool given = parser->space->given[index];
  for (size_t i = 0; i < field->width && field->kind == CKT_FIELD_NUMBERS; i++) {
    const int64_t value = ckt_field_get(&parser->space->base, field, i);
    const struct ckt_span at = given ? parser->words[index] : parser->line;
    if (value < 1)
      return FAIL(parser, at, "%s has a number of %" PRId64 ", expected 1 or more", field->name, value);
    CKT_TRY(check_limit(parser, field, at, value));
  }
  return CKT_OK;
}

/* Each axis gives its first value to the base, so that the base is the first point. */
static int settle_axes(const struct parser *parser) {
  struct ckt_space *space = parser->space;
  space->size = 1;
  for (size_t a = 0; a < space->axis_count; a++) {
    const struct ckt_space_axis *axis = &space->axes[a];
    const int64_t *values = &space->values[axis->first];
    if (axis->field->source == CKT_FIELD_FROM_LIST)
      return FAIL(parser, axis->text, "%s is a set, but a list is read for one %s", axis->field->name,
                  axis->field->name);
    for (size_t i = 0; i < axis->count * axis->width && axis->field->kind == CKT_FIELD_NUMBERS; i++)
      if (values[i] < 1)
        return FAIL(parser, axis->text, "%s has a number of %" PRId64 ", expected 1 or more",
                    axis->field->name, values[i]);
    for (size_t i = 0; i < axis->width; i++)
      ckt_field_set(&space->base, axis->field, axis->component + i, values[i]);
    if (!ckt_mul_i64(space->size, (int64_t)axis->count, &space->size) || space->size > CKT_SPACE_POINTS_MAX)
      return FAIL(parser, axis->text, "the sets have more than %" PRId64 " points together, expected fewer",
                  CKT_SPACE_POINTS_MAX);
  }
  return CKT_OK;
}

/* A line that says every field is a key, which may come from an odd line of somebody else's list (0 waves
 * along K) and must be read back; what a person writes must make sense. */
static int settle_all(struct parser *parser) {
  struct ckt_space *space = parser->space;
  bool complete = space->axis_count == 0 && space->where == NULL;
  CKT_TRY(settle_axes(parser));
  for (size_t i = 0; i < CKT_FIELD_COUNT; i++) {
    CKT_TRY(settle(parser, i));
    complete &= space->given[i];
  }
  ckt_space_settle_block(space, &space->base);
  for (size_t i = 0; i < CKT_FIELD_COUNT && !complete; i++)
    if (ckt_fields[i].source != CKT_FIELD_FROM_WARPS || ckt_space_is_plain(space))
      CKT_TRY(check_positive(parser, i));
  return CKT_OK;
}

int ckt_space_parse(struct ckt_span line, const struct ckt_problem_defaults *defaults,
                    struct ckt_space **space, struct ckt_span *fault, struct ckt_error *error) {
  *fault = line;
  *space = calloc(1, sizeof **space);
  if (*space == NULL)
    return ckt_fail(error, CKT_E_NOMEM, "memory ran out");
  struct parser parser = {.space = *space,
                          .defaults = defaults,
                          .line = ckt_span_trim(ckt_instance_code(line)),
                          .fault = fault,
                          .error = error};
  int status = read_words(&parser);
  if (status == CKT_OK)
    status = settle_all(&parser);
  if (status != CKT_OK) {
    ckt_space_free(*space);
    *space = NULL;
  }
  return status;
}
