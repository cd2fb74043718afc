/* The readable form of an instance, name=value in any order, and the key, which is the same form with every
 * field in the order of the table. */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "gen/instance_reader.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const char *const direction_words[] = {
#define ROW(name, key, word) word,
    CKT_DIRECTIONS(ROW)
#undef ROW
};

static const char *const dtype_words[] = {
#define ROW(name, word, bytes) word,
    CKT_DTYPES(ROW)
#undef ROW
};

static const char *const spatial_words[] = {NULL, NULL, "2", "3"};

static const char *const specialization_words[] = {
#define ROW(name, word, ck) word,
    CKT_SPECIALIZATIONS(ROW)
#undef ROW
};

static const char *const pipeline_words[] = {
#define ROW(name, word) word,
    CKT_PIPELINES(ROW)
#undef ROW
};

static const char *const scheduler_words[] = {
#define ROW(name, word) word,
    CKT_SCHEDULERS(ROW)
#undef ROW
};

static const char *const impl_words[] = {
#define ROW(name, word) word,
    CKT_IMPLS(ROW)
#undef ROW
};

static const char *const flag_words[] = {"false", "true"};

const char *ckt_specialization_word(enum ckt_specialization specialization) {
  return specialization_words[specialization];
}

const char *ckt_pipeline_word(enum ckt_pipeline pipeline) {
  return pipeline_words[pipeline];
}

const char *ckt_scheduler_word(enum ckt_scheduler scheduler) {
  return scheduler_words[scheduler];
}

enum field_kind {
  WORD,    /* an enumerator or a small int: index of the word */
  FLAG,    /* a bool: false or true */
  NUMBERS, /* one or more int64_t, `separator` between them */
};

/* Where a field's value comes from when the line does not say it. */
enum field_default { REQUIRED, FROM_LIST, VALUE, FROM_WARPS };

struct field {
  const char *name;
  enum field_kind kind;
  size_t offset; /* in struct ckt_instance */
  const char *const *words;
  size_t word_count;
  size_t numbers;
  char separator;
  enum field_default source;
  int64_t value;       /* VALUE */
  const char *example; /* expected form, for messages */
};

#define AT(member)             offsetof(struct ckt_instance, member)
#define WORDS(words)           words, COUNT(words), 0, '\0'
#define FLAGS                  flag_words, 2, 0, '\0', VALUE, 0, "false or true"
#define MANY(count, separator) NULL, 0, count, separator

/* Every field, in the order of the key. */
static const struct field fields[] = {
    {"direction", WORD, AT(direction), WORDS(direction_words), FROM_LIST, 0,
     "forward, backward_data or backward_weight"},
    {"dtype", WORD, AT(dtype), WORDS(dtype_words), FROM_LIST, 0, "fp32, fp16 or bf16"},
    {"spatial", WORD, AT(spatial), WORDS(spatial_words), FROM_LIST, 0, "2 or 3"},
    {"spec", WORD, AT(specialization), WORDS(specialization_words), VALUE, CKT_SPEC_DEFAULT,
     "default, filter1x1_pad0, filter1x1_stride1_pad0 or filter3x3"},
    {"tile", NUMBERS, AT(tile), MANY(3, 'x'), REQUIRED, 0, "MxNxK as in 128x128x32"},
    {"warps", NUMBERS, AT(warps), MANY(3, 'x'), REQUIRED, 0, "MxNxK as in 2x2x1"},
    {"warp_tile", NUMBERS, AT(warp_tile), MANY(3, 'x'), REQUIRED, 0, "MxNxK as in 32x32x8"},
    {"vector", NUMBERS, AT(vector), MANY(3, ','), REQUIRED, 0, "A,B,C as in 8,8,8"},
    {"pipeline", WORD, AT(pipeline), WORDS(pipeline_words), VALUE, CKT_PIPELINE_V1,
     "v1, v2, v3, v4, v5, v6, async_v1, async_v4 or wavelet"},
    {"scheduler", WORD, AT(scheduler), WORDS(scheduler_words), VALUE, CKT_INTRAWAVE,
     "intrawave or interwave"},
    {"double_smem_buffer", FLAG, AT(double_smem_buffer), FLAGS},
    {"num_wave_groups", NUMBERS, AT(num_wave_groups), MANY(1, '\0'), VALUE, 1, "a number as in 1"},
    {"num_groups_to_merge", NUMBERS, AT(num_groups_to_merge), MANY(1, '\0'), VALUE, 1, "a number as in 1"},
    {"split_image", FLAG, AT(split_image), FLAGS},
    {"explicit_gemm", FLAG, AT(explicit_gemm), FLAGS},
    {"two_stage", FLAG, AT(two_stage), FLAGS},
    {"split_k", NUMBERS, AT(split_k), MANY(1, '\0'), VALUE, 1, "a number as in 1"},
    {"specialize_shape", FLAG, AT(specialize_shape), FLAGS},
    {"block_size", NUMBERS, AT(block_size), MANY(1, '\0'), FROM_WARPS, 0, "a number of threads as in 256"},
    {"impl", WORD, AT(impl), WORDS(impl_words), VALUE, CKT_IMPL_CKTUNE, "cktune"},
};

enum { FIELD_COUNT = COUNT(fields) };

/* Enumerators here are not negative, so that the compiler stores them like an unsigned int; memcpy does not
 * care which type of this size a member has. */
_Static_assert(sizeof(enum ckt_pipeline) == sizeof(unsigned) && sizeof(int) == sizeof(unsigned),
               "words are stored in members of one size");

static unsigned get_word(const struct ckt_instance *instance, const struct field *field) {
  unsigned index;
  memcpy(&index, (const char *)instance + field->offset, sizeof index);
  return index;
}

static void set_word(struct ckt_instance *instance, const struct field *field, unsigned index) {
  memcpy((char *)instance + field->offset, &index, sizeof index);
}

static bool *flag(struct ckt_instance *instance, const struct field *field) {
  return (bool *)((char *)instance + field->offset);
}

static int64_t *number(struct ckt_instance *instance, const struct field *field, size_t index) {
  return (int64_t *)(void *)((char *)instance + field->offset) + index;
}

/* --- key --- */

/* snprintf at the end of a buffer that is large enough for every key (tests hold it against the largest). */
#define APPEND(key, length, ...)                                                                             \
  (length) += (size_t)snprintf((key) + (length), CKT_INSTANCE_KEY_MAX - (length), __VA_ARGS__)

void ckt_instance_key(const struct ckt_instance *instance, char key[CKT_INSTANCE_KEY_MAX]) {
  struct ckt_instance copy = *instance;
  size_t length = 0;
  for (size_t i = 0; i < FIELD_COUNT && length < CKT_INSTANCE_KEY_MAX; i++) {
    const struct field *field = &fields[i];
    APPEND(key, length, "%s%s=", i > 0 ? " " : "", field->name);
    if (field->kind == WORD)
      APPEND(key, length, "%s", field->words[get_word(&copy, field)]);
    else if (field->kind == FLAG)
      APPEND(key, length, "%s", flag_words[*flag(&copy, field)]);
    for (size_t n = 0; n < field->numbers && length < CKT_INSTANCE_KEY_MAX; n++) {
      APPEND(key, length, "%.*s%" PRId64, n > 0 ? 1 : 0, &field->separator, *number(&copy, field, n));
    }
  }
}

/* --- reader --- */

static int fail_value(struct ckt_instance_reader *reader, const struct field *field, struct ckt_span value) {
  ckt_instance_mark(reader, value);
  return ckt_fail(reader->error, CKT_E_INPUT, "%s=%s cannot be read, expected %s", field->name,
                  ckt_span_quote(value).text, field->example);
}

static int read_word(struct ckt_instance_reader *reader, const struct field *field, struct ckt_span value) {
  for (unsigned i = 0; i < field->word_count; i++) {
    if (field->words[i] == NULL || !ckt_span_equals(value, field->words[i]))
      continue;
    if (field->kind == FLAG)
      *flag(&reader->instance, field) = i != 0;
    else
      set_word(&reader->instance, field, i);
    return CKT_OK;
  }
  return fail_value(reader, field, value);
}

static int read_numbers(struct ckt_instance_reader *reader, const struct field *field,
                        struct ckt_span value) {
  struct ckt_span rest = value;
  for (size_t i = 0; i < field->numbers; i++) {
    const bool last = i + 1 == field->numbers;
    const struct ckt_span part = last ? rest : ckt_span_cut(&rest, field->separator);
    bool too_large;
    if (part.text == NULL || !ckt_instance_read_whole(part, number(&reader->instance, field, i), &too_large))
      return fail_value(reader, field, value);
  }
  return CKT_OK;
}

static const struct field *find_field(struct ckt_span name) {
  for (size_t i = 0; i < FIELD_COUNT; i++)
    if (ckt_span_equals(name, fields[i].name))
      return &fields[i];
  return NULL;
}

static int read_field(struct ckt_instance_reader *reader, struct ckt_span word, bool given[FIELD_COUNT]) {
  ckt_instance_mark(reader, word);
  struct ckt_span value = word;
  const struct ckt_span name = ckt_span_cut(&value, '=');
  if (value.text == NULL)
    return ckt_fail(reader->error, CKT_E_INPUT,
                    "%s is neither name=value (as in tile=128x128x32) nor an instance in Composable Kernel's "
                    "notation",
                    ckt_span_quote(word).text);
  const struct field *field = find_field(name);
  if (field == NULL)
    return ckt_fail(
        reader->error, CKT_E_INPUT,
        "%s is not a field of an instance, expected tile, warps, warp_tile, vector, spec, pipeline, "
        "scheduler, double_smem_buffer, num_wave_groups, num_groups_to_merge, split_image, "
        "explicit_gemm, two_stage, split_k, specialize_shape, block_size, impl, direction, dtype or "
        "spatial",
        ckt_span_quote(name).text);
  if (given[field - fields])
    return ckt_fail(reader->error, CKT_E_INPUT, "%s is given twice, expected once", field->name);
  given[field - fields] = true;
  return field->kind == NUMBERS ? read_numbers(reader, field, value) : read_word(reader, field, value);
}

static unsigned wanted_word(const struct ckt_problem_defaults *defaults, const struct field *field) {
  switch (field->offset) {
  case AT(direction):
    return defaults->direction;
  case AT(dtype):
    return defaults->dtype;
  default:
    return (unsigned)defaults->spatial;
  }
}

/* Direction, data type and dimensions: taken from the list, or held against it. */
static int settle_with_list(struct ckt_instance_reader *reader, const struct field *field, bool given) {
  if (reader->defaults == NULL)
    return given ? CKT_OK
                 : ckt_fail(reader->error, CKT_E_INPUT, "%s is missing, expected %s", field->name,
                            field->example);
  const unsigned wanted = wanted_word(reader->defaults, field);
  if (!given)
    set_word(&reader->instance, field, wanted);
  const unsigned found = get_word(&reader->instance, field);
  if (found == wanted)
    return CKT_OK;
  return ckt_fail(reader->error, CKT_E_INPUT, "the line says %s=%s, but the list is read as %s", field->name,
                  field->words[found], field->words[wanted]);
}

static int settle(struct ckt_instance_reader *reader, const struct field *field, bool given) {
  struct ckt_instance *instance = &reader->instance;
  if (field->source == FROM_LIST)
    return settle_with_list(reader, field, given);
  if (given)
    return CKT_OK;
  switch (field->source) {
  case REQUIRED:
    return ckt_fail(reader->error, CKT_E_INPUT, "%s is missing, expected %s=%s", field->name, field->name,
                    field->example);
  case FROM_WARPS:
    *number(instance, field, 0) =
        64 * instance->warps[CKT_M] * instance->warps[CKT_N] * instance->warps[CKT_K];
    break;
  case VALUE:
  case FROM_LIST:
    if (field->kind == NUMBERS)
      *number(instance, field, 0) = field->value;
    else if (field->kind == FLAG)
      *flag(instance, field) = field->value != 0;
    else
      set_word(instance, field, (unsigned)field->value);
    break;
  }
  return CKT_OK;
}

/* A line that says every field is a key, which may come from an odd line of somebody else's list (0 waves
 * along K) and must be read back; what a person writes must make sense. */
static int check_positive(struct ckt_instance_reader *reader) {
  for (size_t i = 0; i < FIELD_COUNT; i++)
    for (size_t n = 0; n < fields[i].numbers; n++) {
      const int64_t value = *number(&reader->instance, &fields[i], n);
      if (value < 1)
        return ckt_fail(reader->error, CKT_E_INPUT, "%s has a number of %" PRId64 ", expected 1 or more",
                        fields[i].name, value);
      if (value > CKT_INSTANCE_NUMBER_MAX)
        return ckt_fail(reader->error, CKT_E_INPUT,
                        "%s has a number of %" PRId64 ", expected at most %" PRId64, fields[i].name, value,
                        CKT_INSTANCE_NUMBER_MAX);
    }
  return CKT_OK;
}

/* Takes the next word, with white space around it, off the front. */
static bool cut_word(struct ckt_span *rest, struct ckt_span *word) {
  *rest = ckt_span_trim(*rest);
  size_t end = 0;
  while (end < rest->length && ckt_utf8_space(rest->text + end, rest->length - end) == 0)
    end++;
  *word = (struct ckt_span){rest->text, end};
  *rest = (struct ckt_span){rest->text + end, rest->length - end};
  return end > 0;
}

int ckt_instance_read_own(struct ckt_instance_reader *reader, struct ckt_span line) {
  bool given[FIELD_COUNT] = {false};
  struct ckt_span comment = line, word;
  struct ckt_span rest = ckt_span_cut(&comment, '#');
  while (cut_word(&rest, &word))
    CKT_TRY(read_field(reader, word, given));
  ckt_instance_mark(reader, ckt_span_trim(line));
  bool complete = true;
  for (size_t i = 0; i < FIELD_COUNT; i++) {
    CKT_TRY(settle(reader, &fields[i], given[i]));
    complete &= given[i];
  }
  return complete ? CKT_OK : check_positive(reader);
}
