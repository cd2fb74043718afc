#include "gen/outcome_json.h"

#include <inttypes.h>
#include <string.h>

#include "gen/instance_reader.h"

/* The string of a character that JSON does not take as it is; NULL for one that it does. */
static const char *escape_of(unsigned point) {
  switch (point) {
  case '"':
    return "\\\"";
  case '\\':
    return "\\\\";
  case '\n':
    return "\\n";
  case '\r':
    return "\\r";
  case '\t':
    return "\\t";
  default:
    return NULL;
  }
}

void ckt_json_append(struct ckt_span span, struct ckt_text *text) {
  ckt_text_append(text, "\"");
  for (size_t at = 0, size; at<span.length; at += size> 0 ? size : 1) {
    unsigned point = 0;
    size = ckt_utf8_decode(span.text + at, span.length - at, &point);
    const char *escape = size > 0 ? escape_of(point) : "\\ufffd";
    if (escape != NULL)
      ckt_text_append(text, escape);
    else if (point < 0x20)
      ckt_text_printf(text, "\\u%04x", point);
    else
      ckt_text_append_bytes(text, span.text + at, size);
  }
  ckt_text_append(text, "\"");
}

static void append_word(const char *key, const char *word, struct ckt_text *text) {
  ckt_text_printf(text, ", \"%s\": ", key);
  ckt_json_append(ckt_span_of(word != NULL ? word : ""), text);
}

static void append_flag(const char *key, bool value, struct ckt_text *text) {
  ckt_text_printf(text, ", \"%s\": %s", key, value ? "true" : "false");
}

/* A number; any other text that stands in its place is a string. */
static void append_number(const struct ckt_line_outcome *outcome, enum ckt_outcome_number number,
                          struct ckt_text *text) {
  struct ckt_text value = {0};
  ckt_outcome_number(outcome, number, &value);
  const char *digits = ckt_text_string(&value);
  const size_t sign = digits[0] == '-';
  const size_t length = strspn(digits + sign, "0123456789");
  const bool leading_zero = length > 1 && digits[sign] == '0';
  if (length > 0 && digits[sign + length] == '\0' && !leading_zero)
    ckt_text_append(text, digits);
  else
    ckt_json_append(ckt_span_of(digits), text);
  ckt_text_free(&value);
}

static void append_numbers(const struct ckt_line_outcome *outcome, const char *key,
                           enum ckt_outcome_number first, struct ckt_text *text) {
  ckt_text_printf(text, ", \"%s\": [", key);
  for (int i = 0; i < 3; i++) {
    ckt_text_append(text, i > 0 ? ", " : "");
    append_number(outcome, (enum ckt_outcome_number)((int)first + i), text);
  }
  ckt_text_append(text, "]");
}

static const char *specialization_enum(enum ckt_specialization specialization) {
  static const char *const words[] = {
#define ROW(name, word, ck) ck,
      CKT_SPECIALIZATIONS(ROW)
#undef ROW
  };
  return words[specialization];
}

static void append_pipeline(const struct ckt_line_outcome *outcome, struct ckt_text *text) {
  struct ckt_text pipeline = {0};
  ckt_outcome_pipeline(outcome, &pipeline);
  append_word("pipeline", ckt_text_string(&pipeline), text);
  ckt_text_free(&pipeline);
}

static void append_specialization(const struct ckt_line_outcome *outcome, struct ckt_text *text) {
  const struct ckt_span stated = outcome->specialization;
  ckt_text_append(text, ", \"specialization\": ");
  ckt_json_append(
      stated.text != NULL ? stated : ckt_span_of(ckt_specialization_word(outcome->instance.specialization)),
      text);
}

static void append_instance(const struct ckt_line_outcome *outcome, enum ckt_rules rules,
                            struct ckt_text *text) {
  const struct ckt_instance *instance = &outcome->instance;
  append_specialization(outcome, text);
  append_word("specialization_enum", specialization_enum(instance->specialization), text);
  append_numbers(outcome, "tile", CKT_NUMBER_TILE_M, text);
  append_numbers(outcome, "warps", CKT_NUMBER_WARPS_M, text);
  append_numbers(outcome, "warp_tile", CKT_NUMBER_WARP_TILE_M, text);
  append_flag("double_smem_buffer", instance->double_smem_buffer, text);
  ckt_text_printf(text, ", \"num_wave_groups\": %" PRId64, instance->num_wave_groups);
  append_pipeline(outcome, text);
  append_word("scheduler", instance->scheduler == CKT_INTRAWAVE ? "INTRAWAVE" : "INTERWAVE", text);
  append_numbers(outcome, "vector", CKT_NUMBER_VECTOR_A, text);
  ckt_text_append(text, ", \"num_groups_to_merge\": ");
  append_number(outcome, CKT_NUMBER_GROUPS_TO_MERGE, text);
  append_flag("split_image", instance->split_image, text);
  append_flag("explicit_gemm", instance->explicit_gemm, text);
  append_flag("two_stage", instance->two_stage, text);
  if (rules == CKT_RULES_SEED)
    return;
  char key[CKT_INSTANCE_KEY_MAX];
  ckt_instance_key(instance, key);
  append_word("key", key, text);
}

static void append_error(const struct ckt_line_outcome *outcome, enum ckt_rules rules,
                         struct ckt_text *text) {
  append_word("stage", ckt_outcome_stage_word(outcome->stage), text);
  append_word("error", outcome->error_type, text);
  append_word("reason", outcome->reason, text);
  if (outcome->stage == CKT_STAGE_GENERATE)
    append_specialization(outcome, text);
  if (rules == CKT_RULES_HARDWARE)
    ckt_text_printf(text, ", \"column\": %zu", outcome->column);
}

static void append_rejected(const struct ckt_line_outcome *outcome, struct ckt_text *text) {
  char key[CKT_INSTANCE_KEY_MAX];
  ckt_instance_key(&outcome->instance, key);
  append_word("rule", outcome->rule, text);
  append_word("reason", outcome->reason, text);
  append_word("key", key, text);
}

void ckt_outcome_json(const struct ckt_line_outcome *outcome, enum ckt_rules rules, struct ckt_text *text) {
  ckt_text_printf(text, "{\"line\": %" PRId64, outcome->line);
  if (outcome->is_point)
    ckt_text_printf(text, ", \"point\": %" PRId64, outcome->point);
  append_word("status", ckt_outcome_status_word(outcome->status), text);
  if (outcome->status == CKT_OUTCOME_INSTANCE)
    append_instance(outcome, rules, text);
  else if (outcome->status == CKT_OUTCOME_SKIPPED)
    append_word("reason", outcome->reason, text);
  else if (outcome->status == CKT_OUTCOME_REJECTED)
    append_rejected(outcome, text);
  else if (outcome->status == CKT_OUTCOME_ERROR)
    append_error(outcome, rules, text);
  ckt_text_append(text, "}\n");
}
