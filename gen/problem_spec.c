/* The three forms of a SPEC: positional numbers, named numbers, and the canonical key. */
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "common/number.h"
#include "gen/problem.h"
#include "gen/span.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Rows: id, name in the named form, member, least value, value when it is not given (0: it must be given). */
#define NUMBERS(ROW)                                                                                         \
  ROW(NUMBER_N, "n", n, 1, 0)                                                                                \
  ROW(NUMBER_C, "c", c, 1, 0)                                                                                \
  ROW(NUMBER_K, "k", k, 1, 0)                                                                                \
  ROW(NUMBER_DI, "di", in[CKT_DEPTH], 1, 0)                                                                  \
  ROW(NUMBER_HI, "hi", in[CKT_HEIGHT], 1, 0)                                                                 \
  ROW(NUMBER_WI, "wi", in[CKT_WIDTH], 1, 0)                                                                  \
  ROW(NUMBER_Z, "z", filter[CKT_DEPTH], 1, 0)                                                                \
  ROW(NUMBER_Y, "y", filter[CKT_HEIGHT], 1, 0)                                                               \
  ROW(NUMBER_X, "x", filter[CKT_WIDTH], 1, 0)                                                                \
  ROW(NUMBER_SZ, "sz", stride[CKT_DEPTH], 1, 1)                                                              \
  ROW(NUMBER_SY, "sy", stride[CKT_HEIGHT], 1, 1)                                                             \
  ROW(NUMBER_SX, "sx", stride[CKT_WIDTH], 1, 1)                                                              \
  ROW(NUMBER_LPZ, "lpz", pad_left[CKT_DEPTH], 0, 0)                                                          \
  ROW(NUMBER_LPY, "lpy", pad_left[CKT_HEIGHT], 0, 0)                                                         \
  ROW(NUMBER_LPX, "lpx", pad_left[CKT_WIDTH], 0, 0)                                                          \
  ROW(NUMBER_RPZ, "rpz", pad_right[CKT_DEPTH], 0, 0)                                                         \
  ROW(NUMBER_RPY, "rpy", pad_right[CKT_HEIGHT], 0, 0)                                                        \
  ROW(NUMBER_RPX, "rpx", pad_right[CKT_WIDTH], 0, 0)                                                         \
  ROW(NUMBER_DZ, "dz", dilation[CKT_DEPTH], 1, 1)                                                            \
  ROW(NUMBER_DY, "dy", dilation[CKT_HEIGHT], 1, 1)                                                           \
  ROW(NUMBER_DX, "dx", dilation[CKT_WIDTH], 1, 1)                                                            \
  ROW(NUMBER_G, "g", g, 1, 1)

enum number_id {
#define ROW(id, name, member, least, value) id,
  NUMBERS(ROW)
#undef ROW
      NUMBER_COUNT
};

static const struct {
  const char *name;
  size_t offset; /* in struct ckt_problem */
  int64_t least;
  int64_t value;
} numbers[NUMBER_COUNT] = {
#define ROW(id, name, member, least, value) {name, offsetof(struct ckt_problem, member), least, value},
    NUMBERS(ROW)
#undef ROW
};

/* Names of the positional form that set a number on both sides, or one number alone (both the same). */
struct place {
  const char *name; /* in capitals, as in the usage line */
  enum number_id first, second;
};

#define ONE(name, id)                                                                                        \
  { name, id, id }

static const struct place places_2d[] = {
    ONE("N", NUMBER_N),
    ONE("C", NUMBER_C),
    ONE("K", NUMBER_K),
    ONE("HI", NUMBER_HI),
    ONE("WI", NUMBER_WI),
    ONE("Y", NUMBER_Y),
    ONE("X", NUMBER_X),
    ONE("SY", NUMBER_SY),
    ONE("SX", NUMBER_SX),
    {"PY", NUMBER_LPY, NUMBER_RPY},
    {"PX", NUMBER_LPX, NUMBER_RPX},
    ONE("DY", NUMBER_DY),
    ONE("DX", NUMBER_DX),
    ONE("G", NUMBER_G),
};

static const struct place places_3d[] = {
    ONE("N", NUMBER_N),
    ONE("C", NUMBER_C),
    ONE("K", NUMBER_K),
    ONE("DI", NUMBER_DI),
    ONE("HI", NUMBER_HI),
    ONE("WI", NUMBER_WI),
    ONE("Z", NUMBER_Z),
    ONE("Y", NUMBER_Y),
    ONE("X", NUMBER_X),
    ONE("SZ", NUMBER_SZ),
    ONE("SY", NUMBER_SY),
    ONE("SX", NUMBER_SX),
    {"PZ", NUMBER_LPZ, NUMBER_RPZ},
    {"PY", NUMBER_LPY, NUMBER_RPY},
    {"PX", NUMBER_LPX, NUMBER_RPX},
    ONE("DZ", NUMBER_DZ),
    ONE("DY", NUMBER_DY),
    ONE("DX", NUMBER_DX),
    ONE("G", NUMBER_G),
};

/* The positional form of 2 or 3 dimensions; it may end after each of `ends` numbers. */
struct shape {
  const struct place *places;
  size_t count;
  size_t ends[5];
  const char *usage;
  const char *lengths;
};

static const struct shape shapes[] = {
    {places_2d,
     COUNT(places_2d),
     {7, 9, 11, 13, 14},
     "N,C,K,HI,WI,Y,X[,SY,SX[,PY,PX[,DY,DX[,G]]]]",
     "7, 9, 11, 13 or 14"},
    {places_3d,
     COUNT(places_3d),
     {9, 12, 15, 18, 19},
     "N,C,K,DI,HI,WI,Z,Y,X[,SZ,SY,SX[,PZ,PY,PX[,DZ,DY,DX[,G]]]]",
     "9, 12, 15, 18 or 19"},
};

/* A SPEC under way. */
struct reader {
  const char *start; /* of the SPEC, for columns */
  size_t column;     /* of the fault, 1-based */
  struct ckt_problem problem;
  bool given[NUMBER_COUNT];
  struct ckt_error *error;
};

static int64_t *member(struct ckt_problem *problem, enum number_id id) {
  return (int64_t *)(void *)((char *)problem + numbers[id].offset);
}

static void mark(struct reader *reader, struct ckt_span span) {
  reader->column = span.text != NULL ? (size_t)(span.text - reader->start) + 1 : 1;
}

/* 1st, 2nd, 3rd, 4th, ... of what has at most 19 places. */
static const char *ordinal_suffix(size_t number) {
  static const char *const suffixes[] = {"th", "st", "nd", "rd"};
  return number < COUNT(suffixes) ? suffixes[number] : "th";
}

/* Reads a number; `what` names it in the message: "HI, the 4th number,". */
static int read_number(struct reader *reader, const char *what, struct ckt_span span, int64_t least,
                       int64_t *value) {
  mark(reader, span);
  const enum ckt_number_result result = ckt_parse_i64(span.text, span.length, value);
  if (result == CKT_NUMBER_EMPTY)
    return ckt_fail(reader->error, CKT_E_INPUT, "%s is empty, expected a whole number of %" PRId64 " or more",
                    what, least);
  if (result != CKT_NUMBER_OK)
    return ckt_fail(reader->error, CKT_E_INPUT,
                    "%s is %s, which %s, expected a whole number of %" PRId64 " or more%s", what,
                    ckt_span_quote(span).text,
                    result == CKT_NUMBER_OVERFLOW ? "is too large" : "is not a whole number", least,
                    result == CKT_NUMBER_OVERFLOW ? " that fits into 63 bits" : "");
  if (*value < least)
    return ckt_fail(reader->error, CKT_E_INPUT,
                    "%s is %" PRId64 ", expected a whole number of %" PRId64 " or more", what, *value, least);
  return CKT_OK;
}

/* --- positional --- */

static size_t count_parts(struct ckt_span spec) {
  size_t count = 1;
  for (size_t i = 0; i < spec.length; i++)
    count += spec.text[i] == ',';
  return count;
}

static int check_part_count(struct reader *reader, const struct shape *shape, size_t count) {
  for (size_t i = 0; i < COUNT(shape->ends); i++)
    if (count == shape->ends[i])
      return CKT_OK;
  const int dims = shape == &shapes[0] ? 2 : 3;
  if (count > shape->count)
    return ckt_fail(reader->error, CKT_E_INPUT,
                    "%zu numbers are too many for a %dD problem, expected %s of them: %s", count, dims,
                    shape->lengths, shape->usage);
  if (count < shape->ends[0])
    return ckt_fail(reader->error, CKT_E_INPUT,
                    "%zu number%s %s too few for a %dD problem (%s is missing), expected %s of them: %s",
                    count, count == 1 ? "" : "s", count == 1 ? "is" : "are", dims, shape->places[count].name,
                    shape->lengths, shape->usage);
  return ckt_fail(
      reader->error, CKT_E_INPUT,
      "%zu numbers end amid a group of a %dD problem (%s is given, %s is missing), expected %s of "
      "them: %s",
      count, dims, shape->places[count - 1].name, shape->places[count].name, shape->lengths, shape->usage);
}

static int read_positional(struct reader *reader, struct ckt_span spec) {
  const struct shape *shape = &shapes[reader->problem.spatial == 3];
  const size_t count = count_parts(spec);
  /* A word among the numbers is the better thing to point at than their count. */
  struct ckt_span rest = spec;
  for (size_t i = 0; i < count && i < shape->count; i++) {
    const struct place *place = &shape->places[i];
    char what[48];
    snprintf(what, sizeof what, "%s, the %zu%s number,", place->name, i + 1, ordinal_suffix(i + 1));
    int64_t value = 0;
    CKT_TRY(read_number(reader, what, ckt_span_trim(ckt_span_cut(&rest, ',')), numbers[place->first].least,
                        &value));
    *member(&reader->problem, place->first) = *member(&reader->problem, place->second) = value;
    reader->given[place->first] = reader->given[place->second] = true;
  }
  mark(reader, rest.text != NULL ? rest : spec);
  return check_part_count(reader, shape, count);
}

/* --- named --- */

/* The numbers that a name sets; false when no number has that name. */
static bool find_name(struct ckt_span name, enum number_id *first, enum number_id *second) {
  for (int id = 0; id < NUMBER_COUNT; id++)
    if (ckt_span_equals(name, numbers[id].name)) {
      *first = *second = (enum number_id)id;
      return true;
    }
  static const struct place both[] = {
      {"pz", NUMBER_LPZ, NUMBER_RPZ}, {"py", NUMBER_LPY, NUMBER_RPY}, {"px", NUMBER_LPX, NUMBER_RPX}};
  for (size_t i = 0; i < COUNT(both); i++)
    if (ckt_span_equals(name, both[i].name)) {
      *first = both[i].first;
      *second = both[i].second;
      return true;
    }
  return false;
}

static int fail_unknown_name(struct reader *reader, struct ckt_span name) {
  return ckt_fail(
      reader->error, CKT_E_INPUT,
      "%s is not a name of a problem's number, expected n, c, k, hi, wi, y, x, sy, sx, py, px (or "
      "lpy, lpx, rpy, rpx), dy, dx, g, and in 3D di, z, sz, pz (or lpz, rpz), dz",
      ckt_span_quote(name).text);
}

static int fail_repeated_name(struct reader *reader, struct ckt_span name, enum number_id first,
                              enum number_id second) {
  if (first != second)
    return ckt_fail(reader->error, CKT_E_INPUT, "%.*s sets %s and %s, of which one is given already",
                    (int)name.length, name.text, numbers[first].name, numbers[second].name);
  const char *hint = first >= NUMBER_LPZ && first <= NUMBER_RPX ? " (pz, py and px set both sides)" : "";
  return ckt_fail(reader->error, CKT_E_INPUT, "%s is given twice, expected once%s", numbers[first].name,
                  hint);
}

static int read_named_part(struct reader *reader, struct ckt_span part) {
  mark(reader, part);
  struct ckt_span value = part;
  const struct ckt_span name = ckt_span_trim(ckt_span_cut(&value, '='));
  if (value.text == NULL)
    return ckt_fail(reader->error, CKT_E_INPUT, "%s has no value, expected name=number as in n=128",
                    ckt_span_quote(part).text);
  enum number_id first, second;
  if (!find_name(name, &first, &second))
    return fail_unknown_name(reader, name);
  if (reader->given[first] || reader->given[second])
    return fail_repeated_name(reader, name, first, second);
  char what[8];
  snprintf(what, sizeof what, "%.*s", (int)name.length, name.text);
  int64_t number = 0;
  CKT_TRY(read_number(reader, what, ckt_span_trim(value), numbers[first].least, &number));
  *member(&reader->problem, first) = *member(&reader->problem, second) = number;
  reader->given[first] = reader->given[second] = true;
  return CKT_OK;
}

static const enum number_id depth_numbers[] = {NUMBER_DI,  NUMBER_Z,   NUMBER_SZ,
                                               NUMBER_LPZ, NUMBER_RPZ, NUMBER_DZ};

static int check_nothing_missing(struct reader *reader) {
  static const enum number_id needed[] = {NUMBER_N,  NUMBER_C, NUMBER_K, NUMBER_DI, NUMBER_HI,
                                          NUMBER_WI, NUMBER_Z, NUMBER_Y, NUMBER_X};
  const bool deep = reader->problem.spatial == 3;
  for (size_t i = 0; i < COUNT(needed); i++)
    if (!reader->given[needed[i]] && (deep || (needed[i] != NUMBER_DI && needed[i] != NUMBER_Z)))
      return ckt_fail(reader->error, CKT_E_INPUT, "%s is missing, expected at least %s",
                      numbers[needed[i]].name,
                      deep ? "n, c, k, di, hi, wi, z, y and x of a 3D problem" : "n, c, k, hi, wi, y and x");
  return CKT_OK;
}

static int read_named(struct reader *reader, struct ckt_span spec) {
  struct ckt_span rest = spec;
  while (rest.text != NULL)
    CKT_TRY(read_named_part(reader, ckt_span_trim(ckt_span_cut(&rest, ','))));
  for (size_t i = 0; i < COUNT(depth_numbers); i++)
    if (reader->given[depth_numbers[i]])
      reader->problem.spatial = 3;
  mark(reader, spec);
  return check_nothing_missing(reader);
}

/* C and K of the positional and the named form count over all groups. */
static int divide_by_groups(struct reader *reader) {
  struct ckt_problem *p = &reader->problem;
  const char *name = p->c % p->g != 0 ? "C" : p->k % p->g != 0 ? "K" : NULL;
  if (name != NULL)
    return ckt_fail(reader->error, CKT_E_INPUT,
                    "groups %" PRId64 " do not divide %s=%" PRId64
                    ": C and K are totals over the groups, and each group gets the same share",
                    p->g, name, name[0] == 'C' ? p->c : p->k);
  p->c /= p->g;
  p->k /= p->g;
  return CKT_OK;
}

/* --- canonical key --- */

/* Rows in the key's order: tag, and the number (first of the axes, depth left out in 2D). */
struct key_part {
  const char *tag;
  enum number_id id[CKT_AXES];
  bool extents;
};

static const struct key_part key_parts[] = {
    {"g", {NUMBER_G}, false},
    {"n", {NUMBER_N}, false},
    {"k", {NUMBER_K}, false},
    {"c", {NUMBER_C}, false},
    {"in", {NUMBER_DI, NUMBER_HI, NUMBER_WI}, true},
    {"fil", {NUMBER_Z, NUMBER_Y, NUMBER_X}, true},
    {"s", {NUMBER_SZ, NUMBER_SY, NUMBER_SX}, true},
    {"d", {NUMBER_DZ, NUMBER_DY, NUMBER_DX}, true},
    {"pl", {NUMBER_LPZ, NUMBER_LPY, NUMBER_LPX}, true},
    {"pr", {NUMBER_RPZ, NUMBER_RPY, NUMBER_RPX}, true},
};

#define KEY_EXAMPLE "fwd-fp16-nhwgc-g1-n128-k256-c256-in14x14-fil3x3-s1x1-d1x1-pl1x1-pr1x1"

/* Whether the span is one of the words; which one in *index. */
static bool find_word(struct ckt_span span, const char *const *words, size_t count, int *index) {
  for (size_t i = 0; i < count; i++)
    if (ckt_span_equals(span, words[i])) {
      *index = (int)i;
      return true;
    }
  return false;
}

static const char *const key_directions[] = {
#define ROW(name, key, word) key,
    CKT_DIRECTIONS(ROW)
#undef ROW
};

static const char *const key_dtypes[] = {
#define ROW(name, word, bytes) word,
    CKT_DTYPES(ROW)
#undef ROW
};

static int read_key_word(struct reader *reader, struct ckt_span *rest, const char *const *words, size_t count,
                         const char *expected, int *index) {
  const struct ckt_span word = ckt_span_cut(rest, '-');
  mark(reader, word);
  if (word.text != NULL && find_word(word, words, count, index))
    return CKT_OK;
  return ckt_fail(reader->error, CKT_E_INPUT,
                  "the problem key has %s where %s is expected, as in " KEY_EXAMPLE,
                  word.text != NULL ? ckt_span_quote(word).text : "its end", expected);
}

static int read_key_part(struct reader *reader, struct ckt_span *rest, const struct key_part *part) {
  struct ckt_span span = ckt_span_cut(rest, '-');
  mark(reader, span);
  const size_t tag = strlen(part->tag);
  if (span.text == NULL || span.length < tag || memcmp(span.text, part->tag, tag) != 0)
    return ckt_fail(reader->error, CKT_E_INPUT,
                    "the problem key has %s where %s and its number are expected, as in " KEY_EXAMPLE,
                    span.text != NULL ? ckt_span_quote(span).text : "its end", part->tag);
  span = (struct ckt_span){span.text + tag, span.length - tag};
  for (int axis = part->extents && reader->problem.spatial == 2 ? 1 : 0; axis < CKT_AXES; axis++) {
    const enum number_id id = part->id[axis];
    struct ckt_span number = part->extents ? ckt_span_cut(&span, 'x') : span;
    if (number.text == NULL)
      number = (struct ckt_span){reader->start + reader->column - 1, 0};
    int64_t value = 0;
    CKT_TRY(read_number(reader, numbers[id].name, number, numbers[id].least, &value));
    *member(&reader->problem, id) = value;
    if (!part->extents)
      return CKT_OK;
  }
  if (span.text == NULL)
    return CKT_OK;
  mark(reader, span);
  return ckt_fail(reader->error, CKT_E_INPUT, "%s of the problem key has more than %d extents", part->tag,
                  reader->problem.spatial);
}

static int read_key(struct reader *reader, struct ckt_span spec) {
  const char *const layouts[] = {ckt_layout_word(2), ckt_layout_word(3)};
  struct ckt_span rest = spec;
  int direction = 0, dtype = 0, layout = 0;
  CKT_TRY(
      read_key_word(reader, &rest, key_directions, COUNT(key_directions), "fwd, bwdd or bwdw", &direction));
  CKT_TRY(read_key_word(reader, &rest, key_dtypes, COUNT(key_dtypes), "fp32, fp16 or bf16", &dtype));
  CKT_TRY(read_key_word(reader, &rest, layouts, COUNT(layouts), "nhwgc or ndhwgc", &layout));
  reader->problem.direction = (enum ckt_direction)direction;
  reader->problem.dtype = (enum ckt_dtype)dtype;
  reader->problem.spatial = layout + 2;
  for (size_t i = 0; i < COUNT(key_parts); i++)
    CKT_TRY(read_key_part(reader, &rest, &key_parts[i]));
  if (rest.text == NULL)
    return CKT_OK;
  mark(reader, rest);
  return ckt_fail(reader->error, CKT_E_INPUT, "the problem key goes on with %s after its last part, pr",
                  ckt_span_quote(rest).text);
}

/* --- which form --- */

static bool starts_with_key_word(struct ckt_span spec) {
  struct ckt_span rest = spec;
  const struct ckt_span word = ckt_span_cut(&rest, '-');
  int index;
  return rest.text != NULL && find_word(word, key_directions, COUNT(key_directions), &index);
}

/* A command line of another tool, with or without the program's name and path in front. */
static const char *driver_of(struct ckt_span spec) {
  static const char *const starts[][2] = {{"conv", "MIOpenDriver"}, {"grouped_conv", "ckProfiler"}};
  if (ckt_span_contains(spec, "MIOpenDriver"))
    return "MIOpenDriver";
  if (ckt_span_contains(spec, "ckProfiler"))
    return "ckProfiler";
  for (size_t i = 0; i < COUNT(starts); i++)
    if (spec.length > strlen(starts[i][0]) && memcmp(spec.text, starts[i][0], strlen(starts[i][0])) == 0)
      return starts[i][1];
  return NULL;
}

static int fail_driver_line(struct reader *reader, const char *driver) {
  return ckt_fail(reader->error, CKT_E_INPUT,
                  "a %s command is not read yet: write the problem as %s or by name, as in "
                  "n=128,c=256,k=256,hi=14,wi=14,y=3,x=3,py=1,px=1 (C and K are totals over the groups)",
                  driver, shapes[0].usage);
}

static int read_numbers(struct reader *reader, struct ckt_span spec) {
  CKT_TRY(ckt_span_contains(spec, "=") ? read_named(reader, spec) : read_positional(reader, spec));
  mark(reader, spec);
  return divide_by_groups(reader);
}

static int read_spec(struct reader *reader, struct ckt_span spec) {
  mark(reader, spec);
  if (spec.length == 0)
    return ckt_fail(reader->error, CKT_E_INPUT, "the problem is empty, expected %s",
                    shapes[reader->problem.spatial == 3].usage);
  const char *driver = driver_of(spec);
  if (driver != NULL)
    return fail_driver_line(reader, driver);
  CKT_TRY(starts_with_key_word(spec) ? read_key(reader, spec) : read_numbers(reader, spec));
  mark(reader, spec);
  return ckt_problem_check(&reader->problem, reader->error);
}

static void set_defaults(struct ckt_problem *problem, const struct ckt_problem_defaults *defaults) {
  *problem = (struct ckt_problem){
      .direction = defaults->direction, .dtype = defaults->dtype, .spatial = defaults->spatial};
  for (int id = 0; id < NUMBER_COUNT; id++)
    *member(problem, (enum number_id)id) = numbers[id].value;
  problem->in[CKT_DEPTH] = problem->filter[CKT_DEPTH] = 1; /* of a 2D problem; 3D must say them */
}

int ckt_problem_parse_at(const char *spec, const struct ckt_problem_defaults *defaults,
                         struct ckt_problem *problem, size_t *column, struct ckt_error *error) {
  struct reader reader = {.start = spec, .column = 1, .error = error};
  set_defaults(&reader.problem, defaults);
  const int status = read_spec(&reader, ckt_span_trim(ckt_span_of(spec)));
  if (column != NULL)
    *column = reader.column;
  if (status == CKT_OK)
    *problem = reader.problem;
  return status;
}

int ckt_problem_parse(const char *spec, const struct ckt_problem_defaults *defaults,
                      struct ckt_problem *problem, struct ckt_error *error) {
  return ckt_problem_parse_at(spec, defaults, problem, NULL, error);
}
