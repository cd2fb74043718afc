/* CK Tile's notation: GroupedConvolutionForwardKernel<2,Default,NHWGC,...>, as its kernels print themselves.
 *
 * The three directions have one grammar; backward weight adds fields at the end, of which trailing ones may be
 * missing. What no instance can hold (elementwise operators, stream-K, other types for the output) must have the
 * value that our kernels have. */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "gen/instance_reader.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* A line under way. */
struct tile_line {
  struct ckt_instance_reader *reader;
  struct ckt_span field;
  int index; /* of the field, from 0 */
  const char *name;
};

static int refuse(const struct tile_line *line, const char *expected) {
  ckt_instance_mark(line->reader, line->field);
  return ckt_fail(line->reader->error, CKT_E_INPUT, "field %d (%s) is %s, expected %s", line->index,
                  line->name, ckt_span_quote(line->field).text, expected);
}

/* --- words --- */

struct word {
  const char *word;
  int value;
};

static int refuse_word(const struct tile_line *line, const struct word *words, size_t count) {
  struct ckt_text expected = {0};
  for (size_t i = 0; i < count; i++)
    ckt_text_printf(&expected, "%s%s", i == 0 ? "" : i + 1 < count ? ", " : " or ", words[i].word);
  const int status = refuse(line, ckt_text_string(&expected));
  ckt_text_free(&expected);
  return status;
}

static int find_word(const struct tile_line *line, const struct word *words, size_t count, int *value) {
  for (size_t i = 0; i < count; i++)
    if (ckt_span_equals(line->field, words[i].word)) {
      *value = words[i].value;
      return CKT_OK;
    }
  return refuse_word(line, words, count);
}

static int read_specialization(const struct tile_line *line, void *member) {
  static const struct word words[] = {{"Default", CKT_SPEC_DEFAULT},
                                      {"Filter1x1Pad0", CKT_SPEC_FILTER_1X1_PAD0},
                                      {"Filter1x1Stride1Pad0", CKT_SPEC_FILTER_1X1_STRIDE1_PAD0},
                                      {"Filter3x3", CKT_SPEC_FILTER_3X3}};
  int value = 0;
  CKT_TRY(find_word(line, words, COUNT(words), &value));
  *(enum ckt_specialization *)member = (enum ckt_specialization)value;
  line->reader->specialization = line->field;
  return CKT_OK;
}

static int read_pipeline(const struct tile_line *line, void *member) {
  static const struct word words[] = {{"BASIC_V1", CKT_PIPELINE_V1},
                                      {"MEMORY", CKT_PIPELINE_V2},
                                      {"COMPUTE_V3", CKT_PIPELINE_V3},
                                      {"COMPUTE_V4", CKT_PIPELINE_V4},
                                      {"COMPUTE_V5", CKT_PIPELINE_V5},
                                      {"COMPUTE_V6", CKT_PIPELINE_V6},
                                      {"BASIC_ASYNC_V1", CKT_PIPELINE_ASYNC_V1},
                                      {"COMPUTE_ASYNC", CKT_PIPELINE_ASYNC_V4},
                                      {"WAVELET", CKT_PIPELINE_WAVELET}};
  int value = 0;
  CKT_TRY(find_word(line, words, COUNT(words), &value));
  *(enum ckt_pipeline *)member = (enum ckt_pipeline)value;
  return CKT_OK;
}

static int read_scheduler(const struct tile_line *line, void *member) {
  static const struct word words[] = {
      {"Intrawave", CKT_INTRAWAVE}, {"Interwave", CKT_INTERWAVE}, {"Default", CKT_INTRAWAVE}};
  int value = 0;
  CKT_TRY(find_word(line, words, COUNT(words), &value));
  *(enum ckt_scheduler *)member = (enum ckt_scheduler)value;
  return CKT_OK;
}

static int read_flag(const struct tile_line *line, void *member) {
  static const struct word words[] = {{"0", 0}, {"1", 1}, {"false", 0}, {"true", 1}};
  int value = 0;
  CKT_TRY(find_word(line, words, COUNT(words), &value));
  *(bool *)member = value != 0;
  return CKT_OK;
}

/* --- numbers --- */

static int read_number(const struct tile_line *line, void *member) {
  int64_t *value = member;
  bool too_large;
  char expected[64];
  const bool whole = ckt_instance_read_whole(line->field, value, &too_large);
  if (whole && *value >= 1)
    return CKT_OK;
  snprintf(expected, sizeof expected, "a whole number between 1 and %" PRId64, CKT_INSTANCE_NUMBER_MAX);
  return refuse(line, expected);
}

/* --- what must be as in the list, or as our kernels have it --- */

static int expect(const struct tile_line *line, const char *word, const char *because) {
  char expected[128];
  if (ckt_span_equals(line->field, word))
    return CKT_OK;
  snprintf(expected, sizeof expected, "%s%s", word, because);
  return refuse(line, expected);
}

static int check_spatial(const struct tile_line *line, void *member) {
  (void)member;
  return expect(line, line->reader->instance.spatial == 3 ? "3" : "2", ", as which the list is read");
}

static int check_dtype(const struct tile_line *line, void *member) {
  (void)member;
  return expect(line, ckt_dtype_word(line->reader->instance.dtype), ", as which the list is read");
}

static int check_input_layout(const struct tile_line *line, void *member) {
  (void)member;
  return expect(line, line->reader->instance.spatial == 3 ? "NDHWGC" : "NHWGC", "");
}

static int check_weight_layout(const struct tile_line *line, void *member) {
  (void)member;
  return expect(line, line->reader->instance.spatial == 3 ? "GKZYXC" : "GKYXC", "");
}

static int check_output_layout(const struct tile_line *line, void *member) {
  (void)member;
  return expect(line, line->reader->instance.spatial == 3 ? "NDHWGK" : "NHWGK", "");
}

static int check_no_tensors(const struct tile_line *line, void *member) {
  (void)member;
  return expect(line, "EmptyTuple", ": no tensor D is known");
}

static int check_accumulator(const struct tile_line *line, void *member) {
  (void)member;
  return expect(line, "fp32", ", which all kernels add up in");
}

static int check_operator(const struct tile_line *line, void *member) {
  (void)member;
  return expect(line, "PassThrough", ": no other operator is known");
}

static int check_off(const struct tile_line *line, void *member) {
  bool set = false;
  (void)member;
  CKT_TRY(read_flag(line, &set));
  return set ? refuse(line, "0: no such kernel is known") : CKT_OK;
}

/* Without stream-K nothing is reduced, whatever stands here. */
static int check_reduction(const struct tile_line *line, void *member) {
  static const struct word words[] = {{"0", 0}, {"1", 1}, {"2", 2}};
  int value = 0;
  (void)member;
  return find_word(line, words, COUNT(words), &value);
}

/* --- the fields --- */

struct tile_field {
  const char *name;
  int (*read)(const struct tile_line *line, void *member);
  size_t offset; /* of the member in struct ckt_instance */
};

#define AT(member) offsetof(struct ckt_instance, member)

static const struct tile_field fields[] = {
    {"spatial dimensions", check_spatial, 0},
    {"convolution specialization", read_specialization, AT(specialization)},
    {"input layout", check_input_layout, 0},
    {"weight layout", check_weight_layout, 0},
    {"layout of D", check_no_tensors, 0},
    {"output layout", check_output_layout, 0},
    {"vector A", read_number, AT(vector[CKT_A])},
    {"vector B", read_number, AT(vector[CKT_B])},
    {"vector C", read_number, AT(vector[CKT_C])},
    {"groups to merge", read_number, AT(num_groups_to_merge)},
    {"split image", read_flag, AT(split_image)},
    {"explicit GEMM", read_flag, AT(explicit_gemm)},
    {"tile M", read_number, AT(tile[CKT_M])},
    {"tile N", read_number, AT(tile[CKT_N])},
    {"tile K", read_number, AT(tile[CKT_K])},
    {"warps M", read_number, AT(warps[CKT_M])},
    {"warps N", read_number, AT(warps[CKT_N])},
    {"warps K", read_number, AT(warps[CKT_K])},
    {"warp tile M", read_number, AT(warp_tile[CKT_M])},
    {"warp tile N", read_number, AT(warp_tile[CKT_N])},
    {"warp tile K", read_number, AT(warp_tile[CKT_K])},
    {"data type of A", check_dtype, 0},
    {"data type of B", check_dtype, 0},
    {"pipeline", read_pipeline, AT(pipeline)},
    {"scheduler", read_scheduler, AT(scheduler)},
    {"double LDS buffer", read_flag, AT(double_smem_buffer)},
    {"wave groups", read_number, AT(num_wave_groups)},
    {"accumulator type", check_accumulator, 0},
    {"output type", check_dtype, 0},
    {"types of D", check_no_tensors, 0},
    {"elementwise operator", check_operator, 0},
    /* of backward weight alone */
    {"stream-K", check_off, 0},
    {"reduction", check_reduction, 0},
    {"persistent", check_off, 0},
};

enum { FIELDS_OF_ALL = 31 };

static int read_fields(struct ckt_instance_reader *reader, struct ckt_span inside, const char *end) {
  const bool weight = reader->instance.direction == CKT_BACKWARD_WEIGHT;
  const int most = weight ? (int)COUNT(fields) : FIELDS_OF_ALL;
  struct ckt_span cut[COUNT(fields) + 1], last;
  const int count = (int)ckt_span_cut_arguments(inside, cut, COUNT(cut), &last);
  struct tile_line line = {.reader = reader};
  for (; line.index < count; line.index++) {
    line.field = ckt_span_trim(cut[line.index]);
    if (line.index >= most) {
      ckt_instance_mark(reader, line.field);
      return ckt_fail(reader->error, CKT_E_INPUT, "the instance has more than %d fields, expected no %s",
                      most, ckt_span_quote(line.field).text);
    }
    const struct tile_field *field = &fields[line.index];
    line.name = field->name;
    CKT_TRY(field->read(&line, (char *)&reader->instance + field->offset));
  }
  if (line.index >= FIELDS_OF_ALL)
    return CKT_OK;
  ckt_instance_mark(reader, (struct ckt_span){end, 0});
  return ckt_fail(reader->error, CKT_E_INPUT,
                  "the instance has %d fields, expected %d: field %d (%s) is missing", line.index,
                  FIELDS_OF_ALL, line.index, fields[line.index].name);
}

/* --- the line --- */

static int check_name(struct ckt_instance_reader *reader, struct ckt_span name) {
  static const char *const names[] = {[CKT_FORWARD] = "GroupedConvolutionForwardKernel",
                                      [CKT_BACKWARD_DATA] = "GroupedConvolutionBackwardDataKernel",
                                      [CKT_BACKWARD_WEIGHT] = "GroupedConvolutionBackwardWeightKernel"};
  const enum ckt_direction wanted = reader->defaults->direction;
  ckt_instance_mark(reader, name);
  for (size_t i = 0; i < COUNT(names); i++)
    if (ckt_span_equals(name, names[i]))
      return i == wanted
                 ? CKT_OK
                 : ckt_fail(reader->error, CKT_E_INPUT, "the instance is for %s, but the list is read as %s",
                            ckt_direction_word((enum ckt_direction)i), ckt_direction_word(wanted));
  return ckt_fail(reader->error, CKT_E_INPUT, "the kernel is %s, expected %s", ckt_span_quote(name).text,
                  names[wanted]);
}

static int find_fields(struct ckt_instance_reader *reader, struct ckt_span line, struct ckt_span *inside) {
  *inside = line;
  const struct ckt_span name = ckt_span_cut(inside, '<');
  CKT_TRY(check_name(reader, name));
  if (inside->length > 0 && inside->text[inside->length - 1] == '>') {
    inside->length--;
    return CKT_OK;
  }
  ckt_instance_mark(reader, (struct ckt_span){line.text + line.length, 0});
  return ckt_fail(reader->error, CKT_E_INPUT,
                  "the instance does not end in '>', expected %.*s<field,field,...>", (int)name.length,
                  name.text);
}

int ckt_instance_read_tile(struct ckt_instance_reader *reader, struct ckt_span line) {
  ckt_instance_mark(reader, line);
  if (reader->defaults == NULL)
    return ckt_fail(
        reader->error, CKT_E_INPUT,
        "the text is an instance in CK Tile's notation, expected a key: direction=... dtype=... and "
        "so on");
  struct ckt_span inside = {0};
  CKT_TRY(find_fields(reader, line, &inside));
  struct ckt_instance *instance = &reader->instance;
  *instance = (struct ckt_instance){.direction = reader->defaults->direction,
                                    .dtype = reader->defaults->dtype,
                                    .spatial = reader->defaults->spatial,
                                    .split_k = 1,
                                    .impl = CKT_IMPL_CKTUNE};
  CKT_TRY(read_fields(reader, inside, line.text + line.length));
  instance->block_size = 64 * instance->warps[CKT_M] * instance->warps[CKT_N] * instance->warps[CKT_K];
  if (instance->block_size <= CKT_INSTANCE_NUMBER_MAX)
    return CKT_OK;
  ckt_instance_mark(reader, line);
  return ckt_fail(reader->error, CKT_E_INPUT,
                  "the block size is %" PRId64
                  " (64 threads for each of the warps), expected at most %" PRId64,
                  instance->block_size, CKT_INSTANCE_NUMBER_MAX);
}
