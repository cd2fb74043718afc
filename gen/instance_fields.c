#include "gen/instance_fields.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

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

#define AT(member) offsetof(struct ckt_instance, member)
/* Kind, where the value comes from. */
#define LIST_WORD     CKT_FIELD_WORD, CKT_FIELD_FROM_LIST
#define VALUE_WORD    CKT_FIELD_WORD, CKT_FIELD_FROM_VALUE
#define VALUE_NUMBERS CKT_FIELD_NUMBERS, CKT_FIELD_FROM_VALUE
#define GIVEN_NUMBERS CKT_FIELD_NUMBERS, CKT_FIELD_REQUIRED
#define WARPS_NUMBERS CKT_FIELD_NUMBERS, CKT_FIELD_FROM_WARPS
#define VALUE_FLAG    CKT_FIELD_FLAG, CKT_FIELD_FROM_VALUE
/* Words and their number; components, letters and separator. */
#define WORDS(words) words, COUNT(words), 1, NULL, '\0'
#define NUMBER       NULL, 0, 1, NULL, '\0'
#define GEMM         NULL, 0, CKT_GEMM_DIMS, "mnk", 'x'
#define OPERANDS     NULL, 0, CKT_GEMM_OPERANDS, "abc", ','

/* Every field, in the order of the key. */
const struct ckt_field ckt_fields[CKT_FIELD_COUNT] = {
    {"direction", LIST_WORD, AT(direction), WORDS(direction_words), 0,
     "forward, backward_data or backward_weight"},
    {"dtype", LIST_WORD, AT(dtype), WORDS(dtype_words), 0, "fp32, fp16 or bf16"},
    {"spatial", LIST_WORD, AT(spatial), WORDS(spatial_words), 0, "2 or 3"},
    {"spec", VALUE_WORD, AT(specialization), WORDS(specialization_words), CKT_SPEC_DEFAULT,
     "default, filter1x1_pad0, filter1x1_stride1_pad0 or filter3x3"},
    {"tile", GIVEN_NUMBERS, AT(tile), GEMM, 0, "MxNxK as in 128x128x32"},
    {"warps", GIVEN_NUMBERS, AT(warps), GEMM, 0, "MxNxK as in 2x2x1"},
    {"warp_tile", GIVEN_NUMBERS, AT(warp_tile), GEMM, 0, "MxNxK as in 32x32x8"},
    {"vector", GIVEN_NUMBERS, AT(vector), OPERANDS, 0, "A,B,C as in 8,8,8"},
    {"pipeline", VALUE_WORD, AT(pipeline), WORDS(pipeline_words), CKT_PIPELINE_V1,
     "v1, v2, v3, v4, v5, v6, async_v1, async_v4 or wavelet"},
    {"scheduler", VALUE_WORD, AT(scheduler), WORDS(scheduler_words), CKT_INTRAWAVE, "intrawave or interwave"},
    {"double_smem_buffer", VALUE_FLAG, AT(double_smem_buffer), WORDS(flag_words), 0, "false or true"},
    {"num_wave_groups", VALUE_NUMBERS, AT(num_wave_groups), NUMBER, 1, "a number as in 1"},
    {"num_groups_to_merge", VALUE_NUMBERS, AT(num_groups_to_merge), NUMBER, 1, "a number as in 1"},
    {"split_image", VALUE_FLAG, AT(split_image), WORDS(flag_words), 0, "false or true"},
    {"explicit_gemm", VALUE_FLAG, AT(explicit_gemm), WORDS(flag_words), 0, "false or true"},
    {"two_stage", VALUE_FLAG, AT(two_stage), WORDS(flag_words), 0, "false or true"},
    {"split_k", VALUE_NUMBERS, AT(split_k), NUMBER, 1, "a number as in 1"},
    {"specialize_shape", VALUE_FLAG, AT(specialize_shape), WORDS(flag_words), 0, "false or true"},
    {"block_size", WARPS_NUMBERS, AT(block_size), NUMBER, 0, "a number of threads as in 256"},
    {"impl", VALUE_WORD, AT(impl), WORDS(impl_words), CKT_IMPL_CKTUNE, "cktune"},
};

/* Enumerators here are not negative, so that the compiler stores them like an unsigned int; memcpy does not
 * care which type of this size a member has. */
_Static_assert(sizeof(enum ckt_pipeline) == sizeof(unsigned) && sizeof(int) == sizeof(unsigned),
               "words are stored in members of one size");

const struct ckt_field *ckt_field_find(struct ckt_span name) {
  for (size_t i = 0; i < CKT_FIELD_COUNT; i++)
    if (ckt_span_equals(name, ckt_fields[i].name))
      return &ckt_fields[i];
  return NULL;
}

int64_t ckt_field_get(const struct ckt_instance *instance, const struct ckt_field *field, size_t component) {
  const char *member = (const char *)instance + field->offset;
  unsigned word;
  int64_t number;
  switch (field->kind) {
  case CKT_FIELD_WORD:
    memcpy(&word, member, sizeof word);
    return word;
  case CKT_FIELD_FLAG:
    return *(const bool *)member;
  case CKT_FIELD_NUMBERS:
    break;
  }
  memcpy(&number, member + component * sizeof number, sizeof number);
  return number;
}

void ckt_field_set(struct ckt_instance *instance, const struct ckt_field *field, size_t component,
                   int64_t value) {
  char *member = (char *)instance + field->offset;
  const unsigned word = (unsigned)value;
  switch (field->kind) {
  case CKT_FIELD_WORD:
    memcpy(member, &word, sizeof word);
    break;
  case CKT_FIELD_FLAG:
    *(bool *)member = value != 0;
    break;
  case CKT_FIELD_NUMBERS:
    memcpy(member + component * sizeof value, &value, sizeof value);
    break;
  }
}

bool ckt_field_word(const struct ckt_field *field, struct ckt_span word, int64_t *index) {
  for (size_t i = 0; i < field->word_count; i++)
    if (field->words[i] != NULL && ckt_span_equals(word, field->words[i])) {
      *index = (int64_t)i;
      return true;
    }
  return false;
}

/* snprintf at the end of a buffer: *length grows by what the whole text would take. */
#define APPEND(buffer, size, length, ...)                                                                    \
  (length) += (size_t)snprintf((length) < (size) ? (buffer) + (length) : NULL,                               \
                               (length) < (size) ? (size) - (length) : 0, __VA_ARGS__)

size_t ckt_field_print(const struct ckt_field *field, const struct ckt_instance *instance, char *text,
                       size_t size) {
  size_t length = 0;
  APPEND(text, size, length, "%s=", field->name);
  for (size_t i = 0; i < field->width; i++) {
    const int64_t value = ckt_field_get(instance, field, i);
    if (field->words != NULL)
      APPEND(text, size, length, "%s", field->words[value]);
    else
      APPEND(text, size, length, "%.*s%" PRId64, i > 0 ? 1 : 0, &field->separator, value);
  }
  return length;
}

/* The buffer is large enough for every number that readers let through (tests hold it against the largest). */
void ckt_instance_key(const struct ckt_instance *instance, char key[CKT_INSTANCE_KEY_MAX]) {
  size_t length = 0;
  for (size_t i = 0; i < CKT_FIELD_COUNT && length + 1 < CKT_INSTANCE_KEY_MAX; i++) {
    if (i > 0)
      key[length++] = ' ';
    length += ckt_field_print(&ckt_fields[i], instance, key + length, CKT_INSTANCE_KEY_MAX - length);
  }
}
