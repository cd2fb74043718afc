#include "gen/ck_statement.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "gen/instance_reader.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const struct {
  const char *words;
  bool number;
} fields[CKT_CK_FIELD_COUNT] = {
#define ROW(name, words, number) {words, number},
    CKT_CK_FIELDS(ROW)
#undef ROW
};

static const char *const fault_words[] = {
#define ROW(name) #name,
    CKT_CK_FAULTS(ROW)
#undef ROW
};

const char *ckt_ck_fault_word(enum ckt_ck_fault_type type) {
  return fault_words[type];
}

const char *ckt_ck_field_words(enum ckt_ck_field field) {
  return fields[field].words;
}

/* --- positions --- */

enum { WHOLE = -1, CHECK_COUNT = -2 };

/* Where a field stands: the argument, and which of the pieces that an 'x' separates (WHOLE: all of it). */
struct ckt_ck_position {
  int field; /* enum ckt_ck_field, or CHECK_COUNT: here the generator counts the arguments */
  int argument;
  int piece;
};

#define AT(field, argument)                                                                                  \
  { CKT_CK_##field, argument, WHOLE }
#define COUNTED                                                                                              \
  { CHECK_COUNT, 0, WHOLE }

static const struct ckt_ck_position forward_v3[] = {
    AT(SPECIALIZATION, 14), AT(BLOCK_SIZE, 16),     AT(TILE_M, 17),   AT(TILE_N, 18),    AT(TILE_K, 19),
    AT(K1_A, 20),           AT(XDL_M, 22),          AT(XDL_N, 23),    AT(REPEAT_M, 24),  AT(REPEAT_N, 25),
    AT(VECTOR_A, 30),       AT(VECTOR_B, 37),       AT(VECTOR_C, 43), AT(SCHEDULER, 44), AT(VERSION, 45),
    AT(DIRECT_LOAD, 48),    AT(GROUPS_TO_MERGE, 49)};

#define FORWARD_V1                                                                                           \
  AT(SPECIALIZATION, 14), AT(BLOCK_SIZE, 17), AT(TILE_M, 18), AT(TILE_N, 19), AT(TILE_K, 20), AT(K1_A, 21),  \
      AT(XDL_M, 23), AT(XDL_N, 24), AT(REPEAT_M, 25), AT(REPEAT_N, 26), AT(VECTOR_A, 31), AT(VECTOR_B, 38),  \
      AT(VECTOR_C, 44)

static const struct ckt_ck_position forward_large[] = {FORWARD_V1};
static const struct ckt_ck_position forward_plain[] = {FORWARD_V1, AT(GROUPS_TO_MERGE, 48)};

/* What K per block is differs from kind to kind. */
#define BACKWARD_WEIGHT                                                                                      \
  AT(SPECIALIZATION, 11), AT(BLOCK_SIZE, 12), AT(TILE_M, 13), AT(TILE_N, 14), AT(K1_A, 16), AT(XDL_M, 17),   \
      AT(XDL_N, 18), AT(REPEAT_M, 19), AT(REPEAT_N, 20), AT(VECTOR_A, 25), AT(VECTOR_B, 32),                 \
      AT(VECTOR_C, 38)

static const struct ckt_ck_position weight_plain[] = {BACKWARD_WEIGHT, AT(K0, 15), COUNTED};
static const struct ckt_ck_position weight_v3[] = {
    BACKWARD_WEIGHT, AT(TILE_K, 15), COUNTED, AT(GROUPS_TO_MERGE, 44), AT(SCHEDULER, 39), AT(VERSION, 40)};
static const struct ckt_ck_position weight_two_stage[] = {
    BACKWARD_WEIGHT, AT(TILE_K, 15), COUNTED, AT(GROUPS_TO_MERGE, 41), AT(SCHEDULER, 39), AT(VERSION, 40)};

static const struct ckt_ck_position weight_explicit[] = {
    {CKT_CK_BLOCK_SIZE, 0, WHOLE}, {CKT_CK_TILE_M, 1, 0},        {CKT_CK_TILE_N, 1, 1},
    {CKT_CK_TILE_K, 1, 2},         {CKT_CK_XDL_M, 2, 0},         {CKT_CK_XDL_N, 2, 1},
    {CKT_CK_K1_A, 3, 0},           {CKT_CK_K1_B, 3, 1},          {CKT_CK_REPEAT_M, 4, 0},
    {CKT_CK_REPEAT_N, 4, 1},       {CKT_CK_VECTOR_A, 5, 0},      {CKT_CK_VECTOR_B, 5, 1},
    {CKT_CK_VECTOR_C, 5, 2},       {CKT_CK_SCHEDULER, 6, WHOLE}, {CKT_CK_VERSION, 7, WHOLE}};

static const struct ckt_ck_position data_plain[] = {
    COUNTED,          AT(SPECIALIZATION, 13), AT(BLOCK_SIZE, 17), AT(TILE_M, 18),
    AT(TILE_N, 19),   AT(TILE_K, 20),         AT(K1_A, 21),       AT(K1_B, 22),
    AT(XDL_M, 23),    AT(XDL_N, 24),          AT(REPEAT_M, 25),   AT(REPEAT_N, 26),
    AT(VECTOR_A, 31), AT(VECTOR_B, 38),       AT(VECTOR_C, 44),   AT(SCHEDULER, 46)};

#define POSITIONS(table) .positions = table, .position_count = COUNT(table)

static const struct ckt_ck_kind kinds[] = {
    {.direction = CKT_FORWARD,
     .mark = "Xdl_CShuffle_V3",
     POSITIONS(forward_v3),
     .arguments = 50,
     .dtype = 5,
     .split_image_mark = "Large_Tensor"},
    {.direction = CKT_FORWARD,
     .mark = "Large_Tensor",
     POSITIONS(forward_large),
     .arguments = 48,
     .dtype = 5,
     .split_image_mark = ""},
    {.direction = CKT_FORWARD, .mark = "", POSITIONS(forward_plain), .arguments = 49, .dtype = 5},
    {.direction = CKT_BACKWARD_WEIGHT,
     .mark = "Explicit",
     .mark_in_name = true,
     POSITIONS(weight_explicit),
     .dtype = -1,
     .is_explicit = true,
     .split_image_mark = "Large",
     .two_stage_mark = "TwoStage"},
    {.direction = CKT_BACKWARD_WEIGHT,
     .mark = "Xdl_CShuffleV3",
     POSITIONS(weight_v3),
     .arguments = 45,
     .dtype = 4,
     .split_image_mark = "Large",
     .two_stage_mark = "TwoStage",
     .count_words = "V3 XDL CShuffle"},
    {.direction = CKT_BACKWARD_WEIGHT,
     .mark = "TwoStage",
     POSITIONS(weight_two_stage),
     .arguments = 46,
     .dtype = 4,
     .split_image_mark = "Large",
     .two_stage_mark = "",
     .count_words = "TwoStage",
     .count_noun = "TwoStage",
     .merges_text = true},
    {.direction = CKT_BACKWARD_WEIGHT,
     .mark = "",
     POSITIONS(weight_plain),
     .arguments = 43,
     .dtype = 4,
     .split_image_mark = "Large",
     .count_words = "XDL CShuffle",
     .count_noun = "V1"},
    {.direction = CKT_BACKWARD_DATA,
     .mark = "Xdl_CShuffle<",
     POSITIONS(data_plain),
     .arguments = 51,
     .dtype = 5,
     .count_words = "V1 XDL CShuffle",
     .count_noun = "V1"},
};

/* --- faults --- */

int ckt_ck_fail(struct ckt_ck_fault *fault, enum ckt_ck_fault_type type, const char *at, const char *format,
                ...) {
  fault->type = type;
  fault->at = at;
  va_list arguments;
  va_start(arguments, format);
  const int code = ckt_vfail(&fault->error, CKT_E_INPUT, format, arguments);
  va_end(arguments);
  return code;
}

void ckt_ck_quote_line(const struct ckt_ck_statement *statement, struct ckt_text *text) {
  ckt_text_append_bytes(text, statement->line.text, statement->line.length);
  if (statement->ended)
    ckt_text_append(text, "\n");
}

/* --- a line under way --- */

/* More arguments than any kind reads need not be kept, only counted. */
#define ARGUMENTS_KEPT 51

struct cutter {
  struct ckt_ck_statement *statement;
  struct ckt_ck_fault *fault;
  enum ckt_rules rules;
  struct ckt_span arguments[ARGUMENTS_KEPT];
  int count;
};

static const char *end_of(struct ckt_span span) {
  return span.text + span.length;
}

/* What stands between the first '<' and the last '>'. */
static int find_arguments(struct cutter *cutter, struct ckt_span *inside) {
  const struct ckt_span line = cutter->statement->line;
  const char *open = memchr(line.text, '<', line.length);
  const char *close = memrchr(line.text, '>', line.length);
  if (open != NULL && close != NULL && close > open) {
    *inside = (struct ckt_span){open + 1, (size_t)(close - open) - 1};
    return CKT_OK;
  }
  const char *missing = open == NULL    ? "has no '<'"
                        : close == NULL ? "has no '>'"
                                        : "has its '>' before its '<'";
  return ckt_ck_fail(
      cutter->fault, CKT_CK_ValueError, open != NULL && close == NULL ? end_of(line) : line.text,
      "the instance %s, expected Name<argument,argument,...>: %s", missing, ckt_span_quote(line).text);
}

static void keep(struct cutter *cutter, struct ckt_span argument) {
  if (cutter->count < ARGUMENTS_KEPT)
    cutter->arguments[cutter->count] = argument;
  cutter->count++;
}

static void cut_arguments(struct cutter *cutter, struct ckt_span inside) {
  struct ckt_span last;
  cutter->count = (int)ckt_span_cut_arguments(inside, cutter->arguments, ARGUMENTS_KEPT, &last);
  if (ckt_span_trim(last).length == 0)
    cutter->count--; /* an empty last argument does not count */
}

/* The fields of an explicit line stand behind the template of its GEMM: Explicit_Xdl<Gemm<..> name: value, ...>.
 * Every comma separates; of each part what stands between its first and its second colon counts. */
static int cut_explicit(struct cutter *cutter) {
  struct ckt_span rest = cutter->statement->line;
  const char *line_end = end_of(rest);
  ckt_span_cut(&rest, '<');
  if (rest.text != NULL)
    ckt_span_cut(&rest, '<');
  struct ckt_span third = rest.text != NULL ? ckt_span_cut(&rest, '<') : (struct ckt_span){NULL, 0};
  if (third.text != NULL)
    ckt_span_cut(&third, '>');
  if (third.text == NULL)
    return ckt_ck_fail(cutter->fault, CKT_CK_IndexError, line_end,
                       "the explicit instance ends before its fields, expected Name<Gemm<...> BlkSize: ..., "
                       "BlkTile: ..., ...>");
  struct ckt_span parts = ckt_span_cut(&third, '>');
  while (parts.text != NULL) {
    struct ckt_span part = ckt_span_cut(&parts, ',');
    const struct ckt_span whole = part;
    ckt_span_cut(&part, ':');
    if (part.text == NULL)
      return ckt_ck_fail(cutter->fault, CKT_CK_IndexError, whole.text,
                         "field %d of the explicit instance is %s, expected \"name: value\"", cutter->count,
                         ckt_span_quote(ckt_span_trim(whole)).text);
    keep(cutter, ckt_span_cut(&part, ':'));
  }
  return CKT_OK;
}

/* --- fields --- */

static int check_count(struct cutter *cutter) {
  const struct ckt_ck_kind *kind = cutter->statement->kind;
  if (kind->arguments == 0 || cutter->count == kind->arguments)
    return CKT_OK;
  const struct ckt_span line = cutter->statement->line;
  const bool more = cutter->count > kind->arguments && kind->arguments < ARGUMENTS_KEPT;
  ckt_ck_fail(cutter->fault, CKT_CK_RuntimeError,
              more ? cutter->arguments[kind->arguments].text : end_of(line),
              "the instance has %d arguments, expected %d", cutter->count, kind->arguments);
  if (kind->count_words != NULL) {
    struct ckt_text *reason = &cutter->fault->reason;
    ckt_text_printf(reason, "Wrong number of parameters in the %s instance string: ", kind->count_words);
    ckt_ck_quote_line(cutter->statement, reason);
    if (kind->count_noun != NULL)
      ckt_text_printf(reason, "\nExpected %d parameters for %s instance. Found %d parameters.",
                      kind->arguments, kind->count_noun, cutter->count);
  }
  return CKT_E_INPUT;
}

/* "argument 17 (block size)", for messages. */
struct place {
  char text[64];
};

static struct place place_of(const struct cutter *cutter, const struct ckt_ck_position *position) {
  struct place place;
  snprintf(place.text, sizeof place.text, "%s %d (%s)",
           cutter->statement->kind->is_explicit ? "field" : "argument", position->argument,
           fields[position->field].words);
  return place;
}

static int fail_missing(struct cutter *cutter, const struct ckt_ck_position *position) {
  return ckt_ck_fail(cutter->fault, CKT_CK_IndexError, end_of(cutter->statement->line),
                     "%s is missing: the instance has %d of them, counted from 0",
                     place_of(cutter, position).text, cutter->count);
}

/* One of the pieces between 'x's. */
static int cut_piece(struct cutter *cutter, const struct ckt_ck_position *position, struct ckt_span *text) {
  struct ckt_span rest = *text;
  for (int i = 0; i <= position->piece && rest.text != NULL; i++) {
    *text = ckt_span_cut(&rest, 'x');
    if (i == position->piece)
      return CKT_OK;
  }
  return ckt_ck_fail(cutter->fault, CKT_CK_IndexError, text->text, "%s is missing in %s",
                     place_of(cutter, position).text, ckt_span_quote(*text).text);
}

/* As Python's text.strip(set). */
static struct ckt_span strip(struct ckt_span span, const char *set) {
  while (span.length > 0 && span.text[0] != '\0' && strchr(set, span.text[0]) != NULL)
    span = (struct ckt_span){span.text + 1, span.length - 1};
  while (span.length > 0 && end_of(span)[-1] != '\0' && strchr(set, end_of(span)[-1]) != NULL)
    span.length--;
  return span;
}

static int get_text(struct cutter *cutter, const struct ckt_ck_position *position, struct ckt_span *text) {
  if (position->argument >= cutter->count)
    return fail_missing(cutter, position);
  *text = ckt_span_trim(cutter->arguments[position->argument]);
  if (position->piece != WHOLE)
    CKT_TRY(cut_piece(cutter, position, text));
  if (cutter->statement->kind->is_explicit && position->field == CKT_CK_VECTOR_C)
    *text = strip(strip(strip(*text, "Seq"), "("), ")");
  return CKT_OK;
}

static int get_number(struct cutter *cutter, const struct ckt_ck_position *position, struct ckt_span text) {
  struct ckt_ck_statement *statement = cutter->statement;
  int64_t *value = &statement->numbers[position->field];
  bool too_large;
  const bool whole = ckt_instance_read_whole(text, value, &too_large);
  if (!whole && !too_large)
    return ckt_ck_fail(cutter->fault, CKT_CK_ValueError, text.text, "%s is %s, expected a whole number",
                       place_of(cutter, position).text, ckt_span_quote(text).text);
  if (too_large)
    statement->beyond |= 1u << position->field;
  if (cutter->rules == CKT_RULES_SEED)
    return CKT_OK;
  if (too_large)
    return ckt_ck_fail(cutter->fault, CKT_CK_ValueError, text.text,
                       "%s is %s, which is too large, expected at most %" PRId64,
                       place_of(cutter, position).text, ckt_span_quote(text).text, CKT_INSTANCE_NUMBER_MAX);
  return *value >= 1
             ? CKT_OK
             : ckt_ck_fail(cutter->fault, CKT_CK_ValueError, text.text, "%s is %s, expected 1 or more",
                           place_of(cutter, position).text, ckt_span_quote(text).text);
}

static int read_field(struct cutter *cutter, const struct ckt_ck_position *position) {
  struct ckt_ck_statement *statement = cutter->statement;
  if (position->field == CHECK_COUNT)
    return check_count(cutter);
  struct ckt_span *text = &statement->texts[position->field];
  CKT_TRY(get_text(cutter, position, text));
  const bool as_text = position->field == CKT_CK_GROUPS_TO_MERGE && statement->kind->merges_text &&
                       cutter->rules == CKT_RULES_SEED;
  return fields[position->field].number && !as_text ? get_number(cutter, position, *text) : CKT_OK;
}

/* --- the line --- */

static bool is_marked(struct ckt_span line, const char *mark) {
  return mark != NULL && (mark[0] == '\0' || ckt_span_contains(line, mark));
}

static const struct ckt_ck_kind *find_kind(enum ckt_direction direction, struct ckt_span line) {
  struct ckt_span rest = line;
  const struct ckt_span name = ckt_span_cut(&rest, '<');
  for (size_t i = 0; i < COUNT(kinds); i++)
    if (kinds[i].direction == direction && is_marked(kinds[i].mark_in_name ? name : line, kinds[i].mark))
      return &kinds[i];
  return NULL;
}

static int fail_kind(struct cutter *cutter) {
  ckt_ck_fail(cutter->fault, CKT_CK_RuntimeError, cutter->statement->line.text,
              "the instance is of no kind that is known for backward data, expected a name that ends in "
              "Xdl_CShuffle: %s",
              ckt_span_quote(cutter->statement->line).text);
  ckt_text_append(&cutter->fault->reason,
                  "Only V1 XDL CShuffle instances are supported for backward data. Found instance: ");
  ckt_ck_quote_line(cutter->statement, &cutter->fault->reason);
  return CKT_E_INPUT;
}

/* What only the hardware's rules ask for: data type and dimensions, which must agree with the list, every
 * argument, and nothing behind the last of them. */
static int read_strictly(struct cutter *cutter, struct ckt_span inside) {
  struct ckt_ck_statement *statement = cutter->statement;
  const char *behind = end_of(inside) + 1;
  const struct ckt_span tail =
      ckt_span_trim((struct ckt_span){behind, (size_t)(end_of(statement->line) - behind)});
  if (tail.length > 0)
    return ckt_ck_fail(cutter->fault, CKT_CK_ValueError, tail.text,
                       "%s stands behind the instance, expected its end", ckt_span_quote(tail).text);
  CKT_TRY(check_count(cutter));
  if (statement->kind->dtype < 0)
    return CKT_OK;
  const struct ckt_ck_position spatial = AT(SPATIAL, 0);
  const struct ckt_ck_position dtype = {CKT_CK_DTYPE, statement->kind->dtype, WHOLE};
  CKT_TRY(read_field(cutter, &spatial));
  return read_field(cutter, &dtype);
}

static int read_all(struct cutter *cutter) {
  struct ckt_ck_statement *statement = cutter->statement;
  struct ckt_span inside = {0};
  CKT_TRY(find_arguments(cutter, &inside));
  if (statement->kind == NULL)
    return fail_kind(cutter);
  if (statement->kind->is_explicit)
    CKT_TRY(cut_explicit(cutter));
  else
    cut_arguments(cutter, inside);
  if (cutter->rules == CKT_RULES_HARDWARE)
    CKT_TRY(read_strictly(cutter, inside));
  for (size_t i = 0; i < statement->kind->position_count; i++)
    CKT_TRY(read_field(cutter, &statement->kind->positions[i]));
  return CKT_OK;
}

int ckt_ck_state(struct ckt_span line, bool ended, enum ckt_direction direction, enum ckt_rules rules,
                 struct ckt_ck_statement *statement, struct ckt_ck_fault *fault) {
  *statement = (struct ckt_ck_statement){.line = line, .ended = ended};
  statement->kind = find_kind(direction, line);
  if (statement->kind != NULL) {
    statement->split_image = is_marked(line, statement->kind->split_image_mark);
    statement->two_stage = is_marked(line, statement->kind->two_stage_mark);
  }
  struct cutter cutter; /* not cleared: only the arguments that were kept are looked at */
  cutter.statement = statement;
  cutter.fault = fault;
  cutter.rules = rules;
  cutter.count = 0;
  return read_all(&cutter);
}
