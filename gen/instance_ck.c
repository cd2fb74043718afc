/* Composable Kernel's notation: OpName<arg0,arg1,...>.
 *
 * The meaning of an argument is its position, which differs from kind to kind: one table a kind. The rules
 * (what a line must have, how waves follow from tile and block size, which words mean what) are those of
 * CK's own generator of instances, so that the same list gives the same instances. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "gen/instance_reader.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Rows: member of struct layout, name in messages. */
#define ARGUMENTS(ROW)                                                                                       \
  ROW(spatial, "spatial dimensions")                                                                         \
  ROW(dtype, "data type of A")                                                                               \
  ROW(specialization, "convolution specialization")                                                          \
  ROW(block_size, "block size")                                                                              \
  ROW(tile_m, "M per block")                                                                                 \
  ROW(tile_n, "N per block")                                                                                 \
  ROW(tile_k, "K per block")                                                                                 \
  ROW(k1, "K1 of A")                                                                                         \
  ROW(xdl_m, "M per XDL")                                                                                    \
  ROW(xdl_n, "N per XDL")                                                                                    \
  ROW(repeat_m, "M XDL per wave")                                                                            \
  ROW(repeat_n, "N XDL per wave")                                                                            \
  ROW(vector_a, "A source vector")                                                                           \
  ROW(vector_b, "B source vector")                                                                           \
  ROW(vector_c, "C vector")                                                                                  \
  ROW(scheduler, "scheduler")                                                                                \
  ROW(version, "pipeline version")                                                                           \
  ROW(direct_load, "direct load")                                                                            \
  ROW(groups_to_merge, "groups to merge")

enum argument {
#define ROW(member, name) ARGUMENT_##member,
  ARGUMENTS(ROW)
#undef ROW
      ARGUMENT_COUNT
};

static const char *const argument_names[ARGUMENT_COUNT] = {
#define ROW(member, name) name,
    ARGUMENTS(ROW)
#undef ROW
};

enum { ABSENT = -1 }; /* the kind has no such argument */

/* Positions of the arguments of one kind of line. */
struct layout {
  enum ckt_direction direction;
  const char *mark; /* a line that holds this text is of this kind; the first that fits counts */
  int index[ARGUMENT_COUNT];
};

/* In the order of ARGUMENTS. The large-tensor kind has no groups to merge; the plain kinds have neither
 * scheduler nor version of their own. */
static const struct layout layouts[] = {
    {CKT_FORWARD,
     "Xdl_CShuffle_V3",
     {0, 5, 14, 16, 17, 18, 19, 20, 22, 23, 24, 25, 30, 37, 43, 44, 45, 48, 49}},
    {CKT_FORWARD,
     "Large_Tensor",
     {0, 5, 14, 17, 18, 19, 20, 21, 23, 24, 25, 26, 31, 38, 44, ABSENT, ABSENT, ABSENT, ABSENT}},
    {CKT_FORWARD, "", {0, 5, 14, 17, 18, 19, 20, 21, 23, 24, 25, 26, 31, 38, 44, ABSENT, ABSENT, ABSENT, 48}},
};

/* A line under way: its arguments, cut apart. */
struct ck_line {
  struct ckt_instance_reader *reader;
  const struct layout *layout;
  struct ckt_span text;
  struct ckt_span *arguments; /* owned; stripped of white space */
  size_t count;
};

/* --- cutting --- */

/* Takes one argument off the front; a comma inside parentheses does not separate. */
static struct ckt_span cut_argument(struct ckt_span *rest) {
  long depth = 0;
  for (size_t i = 0; i < rest->length; i++) {
    depth += rest->text[i] == '(' ? 1 : rest->text[i] == ')' ? -1 : 0;
    if (rest->text[i] != ',' || depth != 0)
      continue;
    const struct ckt_span argument = {rest->text, i};
    *rest = (struct ckt_span){rest->text + i + 1, rest->length - i - 1};
    return ckt_span_trim(argument);
  }
  const struct ckt_span argument = ckt_span_trim(*rest);
  *rest = (struct ckt_span){NULL, 0};
  return argument;
}

/* What stands between the first '<' and the last '>'. */
static int find_arguments(struct ckt_instance_reader *reader, struct ckt_span line, struct ckt_span *inside) {
  const char *open = memchr(line.text, '<', line.length);
  const char *close = memrchr(line.text, '>', line.length);
  if (open != NULL && close != NULL && close > open) {
    *inside = (struct ckt_span){open + 1, (size_t)(close - open) - 1};
    return CKT_OK;
  }
  const char *missing = open == NULL    ? "has no '<'"
                        : close == NULL ? "has no '>'"
                                        : "has its '>' before its '<'";
  ckt_instance_mark(reader,
                    open == NULL || close != NULL ? line : (struct ckt_span){line.text + line.length, 0});
  return ckt_fail(reader->error, CKT_E_INPUT, "the instance %s, expected Name<argument,argument,...>: %s",
                  missing, ckt_span_quote(line).text);
}

static int cut_arguments(struct ck_line *line) {
  struct ckt_span inside = {0};
  CKT_TRY(find_arguments(line->reader, line->text, &inside));
  size_t most = 1;
  for (size_t i = 0; i < inside.length; i++)
    most += inside.text[i] == ',';
  line->arguments = calloc(most, sizeof *line->arguments);
  if (line->arguments == NULL)
    return ckt_fail(line->reader->error, CKT_E_NOMEM, "memory ran out");
  while (inside.text != NULL)
    line->arguments[line->count++] = cut_argument(&inside);
  if (line->arguments[line->count - 1].length == 0)
    line->count--; /* an empty last argument does not count */
  return CKT_OK;
}

/* --- arguments --- */

static int get(const struct ck_line *line, enum argument argument, struct ckt_span *value) {
  const int index = line->layout->index[argument];
  if (index >= 0 && (size_t)index < line->count) {
    *value = line->arguments[index];
    ckt_instance_mark(line->reader, *value);
    return CKT_OK;
  }
  ckt_instance_mark(line->reader, (struct ckt_span){line->text.text + line->text.length, 0});
  return ckt_fail(line->reader->error, CKT_E_INPUT,
                  "argument %d (%s) is missing: the instance has %zu arguments, counted from 0", index,
                  argument_names[argument], line->count);
}

static int get_number(const struct ck_line *line, enum argument argument, int64_t *value) {
  struct ckt_span text = {0};
  bool too_large;
  CKT_TRY(get(line, argument, &text));
  if (ckt_instance_read_whole(text, value, &too_large))
    return CKT_OK;
  if (too_large)
    return ckt_fail(line->reader->error, CKT_E_INPUT,
                    "argument %d (%s) is %s, which is too large, expected at most %" PRId64,
                    line->layout->index[argument], argument_names[argument], ckt_span_quote(text).text,
                    CKT_INSTANCE_NUMBER_MAX);
  return ckt_fail(line->reader->error, CKT_E_INPUT, "argument %d (%s) is %s, expected a whole number",
                  line->layout->index[argument], argument_names[argument], ckt_span_quote(text).text);
}

/* Reads the arguments of a list into the numbers beside them. */
struct number_target {
  enum argument argument;
  int64_t *value;
};

static int get_numbers(const struct ck_line *line, const struct number_target *targets, size_t count) {
  for (size_t i = 0; i < count; i++)
    CKT_TRY(get_number(line, targets[i].argument, targets[i].value));
  return CKT_OK;
}

/* --- words --- */

static int read_specialization(const struct ck_line *line, struct ckt_instance *instance) {
  static const struct {
    const char *word;
    enum ckt_specialization specialization;
  } words[] = {{"Default", CKT_SPEC_DEFAULT},
               {"OddC", CKT_SPEC_DEFAULT}, /* an odd C needs nothing but a vector of 1 */
               {"Filter1x1Pad0", CKT_SPEC_FILTER_1X1_PAD0},
               {"Filter1x1Stride1Pad0", CKT_SPEC_FILTER_1X1_STRIDE1_PAD0},
               {"Filter3x3", CKT_SPEC_FILTER_3X3}};
  struct ckt_span text = {0};
  CKT_TRY(get(line, ARGUMENT_specialization, &text));
  for (size_t i = 0; i < COUNT(words); i++)
    if (ckt_span_equals(text, words[i].word)) {
      instance->specialization = words[i].specialization;
      return CKT_OK;
    }
  return ckt_fail(line->reader->error, CKT_E_INPUT,
                  "the convolution specialization is %s, expected Default, OddC, Filter1x1Pad0, "
                  "Filter1x1Stride1Pad0 or Filter3x3",
                  ckt_span_quote(text).text);
}

/* The version as a pipeline, in any case: the generator writes it in capitals. */
static int find_pipeline(const struct ck_line *line, struct ckt_span version, enum ckt_pipeline *pipeline) {
  for (int i = 0; i < CKT_PIPELINE_COUNT; i++) {
    const char *word = ckt_pipeline_word((enum ckt_pipeline)i);
    if (version.length > 0 && version.length == strlen(word) &&
        strncasecmp(version.text, word, version.length) == 0) {
      *pipeline = (enum ckt_pipeline)i;
      return CKT_OK;
    }
  }
  return ckt_fail(line->reader->error, CKT_E_INPUT, "the pipeline version is %s, expected v1 to v6",
                  ckt_span_quote(version).text);
}

/* With a direct load to LDS v1 and v4 are other pipelines; the rest has none. */
static int read_pipeline(const struct ck_line *line, struct ckt_instance *instance) {
  instance->pipeline = CKT_PIPELINE_V1;
  if (line->layout->index[ARGUMENT_version] == ABSENT)
    return CKT_OK;
  struct ckt_span version = {0}, direct = {0};
  CKT_TRY(get(line, ARGUMENT_direct_load, &direct));
  CKT_TRY(get(line, ARGUMENT_version, &version));
  instance->double_smem_buffer = ckt_span_equals(version, "v4");
  if (!ckt_span_equals(direct, "true"))
    return find_pipeline(line, version, &instance->pipeline);
  if (!ckt_span_equals(version, "v1") && !ckt_span_equals(version, "v4"))
    return ckt_fail(line->reader->error, CKT_E_INPUT,
                    "the pipeline version is %s with a direct load, expected v1 or v4",
                    ckt_span_quote(version).text);
  instance->pipeline = instance->double_smem_buffer ? CKT_PIPELINE_ASYNC_V4 : CKT_PIPELINE_ASYNC_V1;
  return CKT_OK;
}

static int read_scheduler(const struct ck_line *line, struct ckt_instance *instance) {
  instance->scheduler = CKT_INTRAWAVE;
  if (line->layout->index[ARGUMENT_scheduler] == ABSENT)
    return CKT_OK;
  struct ckt_span text = {0};
  CKT_TRY(get(line, ARGUMENT_scheduler, &text));
  instance->scheduler = ckt_span_contains(text, "Intrawave") ? CKT_INTRAWAVE : CKT_INTERWAVE;
  return CKT_OK;
}

/* --- tile and waves --- */

/* Numbers that say nothing alone. */
struct xdl {
  int64_t m, n, repeat_m, repeat_n, k1;
};

/* "trunc" of the generator's quotient: towards zero, as C divides. */
static int divide(const struct ck_line *line, const char *what, int64_t dividend, int64_t divisor,
                  int64_t *quotient) {
  if (divisor == 0)
    return ckt_fail(line->reader->error, CKT_E_INPUT,
                    "the waves along %s cannot be counted: %" PRId64 " is to be divided by 0", what,
                    dividend);
  *quotient = dividend / divisor;
  return CKT_OK;
}

static int derive_waves(const struct ck_line *line, const struct xdl *xdl, struct ckt_instance *instance) {
  int64_t *warps = instance->warps;
  ckt_instance_mark(line->reader, line->text);
  CKT_TRY(divide(line, "M", instance->tile[CKT_M], xdl->m * xdl->repeat_m, &warps[CKT_M]));
  CKT_TRY(divide(line, "N", instance->tile[CKT_N], xdl->n * xdl->repeat_n, &warps[CKT_N]));
  return divide(line, "K", instance->block_size, 64 * warps[CKT_M] * warps[CKT_N], &warps[CKT_K]);
}

/* The K that one matrix instruction takes at least: 32x32x2 and 16x16x4 of fp32, 32x32x8 and 16x16x16 of 16
 * bits. */
static int64_t matrix_k(enum ckt_dtype dtype, int64_t rows) {
  const int64_t bits16 = rows == 32 ? 8 : 16;
  return dtype == CKT_FP32 ? bits16 / 4 : bits16;
}

static int derive_warp_tile(const struct ck_line *line, const struct xdl *xdl,
                            struct ckt_instance *instance) {
  if (xdl->m != xdl->n)
    return ckt_fail(line->reader->error, CKT_E_INPUT,
                    "M per XDL is %" PRId64 " and N per XDL is %" PRId64 ", expected the same number", xdl->m,
                    xdl->n);
  const int64_t least = matrix_k(instance->dtype, xdl->m);
  instance->warp_tile[CKT_M] = xdl->m;
  instance->warp_tile[CKT_N] = xdl->n;
  instance->warp_tile[CKT_K] = xdl->k1 > least ? xdl->k1 : least;
  return CKT_OK;
}

static int read_tile(const struct ck_line *line, struct ckt_instance *instance) {
  struct xdl xdl = {0};
  const struct number_target targets[] = {
      {ARGUMENT_block_size, &instance->block_size},
      {ARGUMENT_tile_m, &instance->tile[CKT_M]},
      {ARGUMENT_tile_n, &instance->tile[CKT_N]},
      {ARGUMENT_tile_k, &instance->tile[CKT_K]},
      {ARGUMENT_k1, &xdl.k1},
      {ARGUMENT_xdl_m, &xdl.m},
      {ARGUMENT_xdl_n, &xdl.n},
      {ARGUMENT_repeat_m, &xdl.repeat_m},
      {ARGUMENT_repeat_n, &xdl.repeat_n},
      {ARGUMENT_vector_a, &instance->vector[CKT_A]},
      {ARGUMENT_vector_b, &instance->vector[CKT_B]},
      {ARGUMENT_vector_c, &instance->vector[CKT_C]},
  };
  CKT_TRY(get_numbers(line, targets, COUNT(targets)));
  CKT_TRY(derive_warp_tile(line, &xdl, instance));
  return derive_waves(line, &xdl, instance);
}

/* --- what the line must agree with --- */

static int check_dtype(const struct ck_line *line, const struct ckt_problem_defaults *defaults) {
  struct ckt_span text = {0};
  CKT_TRY(get(line, ARGUMENT_dtype, &text));
  if (ckt_span_equals(text, ckt_dtype_word(defaults->dtype)))
    return CKT_OK;
  return ckt_fail(line->reader->error, CKT_E_INPUT,
                  "the instance is of data type %s, but the list is read as %s", ckt_span_quote(text).text,
                  ckt_dtype_word(defaults->dtype));
}

static int check_spatial(const struct ck_line *line, const struct ckt_problem_defaults *defaults) {
  int64_t spatial = 0;
  CKT_TRY(get_number(line, ARGUMENT_spatial, &spatial));
  if (spatial == defaults->spatial)
    return CKT_OK;
  return ckt_fail(line->reader->error, CKT_E_INPUT,
                  "the instance is for %" PRId64 " spatial dimensions, but the list is read as %d", spatial,
                  defaults->spatial);
}

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

static const struct layout *find_layout(enum ckt_direction direction, struct ckt_span line) {
  for (size_t i = 0; i < COUNT(layouts); i++)
    if (layouts[i].direction == direction && ckt_span_contains(line, layouts[i].mark))
      return &layouts[i];
  return NULL;
}

static void set_defaults(struct ckt_instance *instance, const struct ckt_problem_defaults *defaults,
                         struct ckt_span line) {
  *instance = (struct ckt_instance){.direction = defaults->direction,
                                    .dtype = defaults->dtype,
                                    .spatial = defaults->spatial,
                                    .num_wave_groups = 1,
                                    .num_groups_to_merge = 1,
                                    .split_k = 1,
                                    .split_image = ckt_span_contains(line, "Large_Tensor"),
                                    .impl = CKT_IMPL_CKTUNE};
}

static int read_instance(struct ck_line *line, struct ckt_instance *instance) {
  CKT_TRY(cut_arguments(line));
  CKT_TRY(read_tile(line, instance));
  CKT_TRY(read_scheduler(line, instance));
  CKT_TRY(read_pipeline(line, instance));
  if (line->layout->index[ARGUMENT_groups_to_merge] != ABSENT)
    CKT_TRY(get_number(line, ARGUMENT_groups_to_merge, &instance->num_groups_to_merge));
  CKT_TRY(read_specialization(line, instance));
  CKT_TRY(check_spatial(line, line->reader->defaults));
  return check_dtype(line, line->reader->defaults);
}

int ckt_instance_read_ck(struct ckt_instance_reader *reader, struct ckt_span text) {
  ckt_instance_mark(reader, text);
  if (reader->defaults == NULL)
    return ckt_fail(reader->error, CKT_E_INPUT,
                    "the text is an instance in Composable Kernel's notation, expected a key: direction=... "
                    "dtype=... and so on");
  CKT_TRY(check_direction(reader, text));
  struct ck_line line = {.reader = reader, .text = text};
  line.layout = find_layout(reader->defaults->direction, text);
  if (line.layout == NULL)
    return ckt_fail(
        reader->error, CKT_E_INPUT,
        "instances for %s in Composable Kernel's notation are not read yet, only those for forward",
        ckt_direction_word(reader->defaults->direction));
  set_defaults(&reader->instance, reader->defaults, text);
  const int status = read_instance(&line, &reader->instance);
  free(line.arguments);
  return status;
}
