#include "gen/ck_derive.h"

#include <string.h>
#include <strings.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

struct ckt_instance ckt_ck_blank(const struct ckt_ck_statement *statement,
                                 const struct ckt_problem_defaults *kind) {
  return (struct ckt_instance){.direction = kind->direction,
                               .dtype = kind->dtype,
                               .spatial = kind->spatial,
                               .pipeline = CKT_PIPELINE_V1,
                               .scheduler = CKT_INTRAWAVE,
                               .num_wave_groups = 1,
                               .num_groups_to_merge = 1,
                               .split_image = statement->split_image,
                               .explicit_gemm = statement->kind->is_explicit,
                               .two_stage = statement->two_stage,
                               .split_k = 1,
                               .impl = CKT_IMPL_CKTUNE};
}

struct ckt_span ckt_ck_specialization_word(const struct ckt_ck_statement *statement) {
  const struct ckt_span word = statement->texts[CKT_CK_SPECIALIZATION];
  return word.text != NULL ? word : ckt_span_of("Default");
}

bool ckt_ck_specialization_of(struct ckt_span word, enum ckt_specialization *specialization) {
  static const struct {
    const char *word;
    enum ckt_specialization specialization;
  } words[] = {{"Default", CKT_SPEC_DEFAULT},
               {"OddC", CKT_SPEC_DEFAULT}, /* an odd C needs nothing but a vector of 1 */
               {"Filter1x1Pad0", CKT_SPEC_FILTER_1X1_PAD0},
               {"Filter1x1Stride1Pad0", CKT_SPEC_FILTER_1X1_STRIDE1_PAD0},
               {"Filter3x3", CKT_SPEC_FILTER_3X3}};
  for (size_t i = 0; i < COUNT(words); i++)
    if (ckt_span_equals(word, words[i].word)) {
      *specialization = words[i].specialization;
      return true;
    }
  return false;
}

bool ckt_ck_specialization(const struct ckt_ck_statement *statement,
                           enum ckt_specialization *specialization) {
  return ckt_ck_specialization_of(ckt_ck_specialization_word(statement), specialization);
}

bool ckt_ck_pipeline(struct ckt_span version, enum ckt_pipeline *pipeline) {
  for (int i = 0; i < CKT_PIPELINE_COUNT; i++) {
    const char *word = ckt_pipeline_word((enum ckt_pipeline)i);
    if (version.length == strlen(word) && strncasecmp(version.text, word, version.length) == 0) {
      *pipeline = (enum ckt_pipeline)i;
      return true;
    }
  }
  return false;
}

int64_t ckt_ck_matrix_k(enum ckt_dtype dtype, bool of_32_rows) {
  const int64_t of_16_bits = of_32_rows ? 8 : 16;
  return dtype == CKT_FP32 ? of_16_bits / 4 : of_16_bits;
}
