#include "gen/emit_cktile.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/file.h"

/* Ends of the signatures' names. */
static const char *const signature_ends[] = {
    [CKT_FORWARD] = "FWD", [CKT_BACKWARD_DATA] = "BWD_DATA", [CKT_BACKWARD_WEIGHT] = "BWD_WEIGHT"};

/* Enumerators of ckb::TileConvSpecialization. */
static const char *const specializations[] = {
#define ROW(name, word, ck) [name] = ck,
    CKT_SPECIALIZATIONS(ROW)
#undef ROW
};

/* Enumerators of ckb::PipelineScheduler. */
static const char *const schedulers[] = {[CKT_INTRAWAVE] = "INTRAWAVE", [CKT_INTERWAVE] = "INTERWAVE"};

static const char *truth(bool value) {
  return value ? "true" : "false";
}

struct ckt_cktile_names ckt_cktile_names_of(const struct ckt_problem_defaults *kind) {
  struct ckt_cktile_names names = {0};
  char capitals[sizeof names.config] = {0};
  snprintf(names.config, sizeof names.config, "%s_%s", ckt_layout_word(kind->spatial),
           ckt_dtype_word(kind->dtype));
  for (size_t i = 0; i < sizeof capitals; i++)
    capitals[i] = (char)toupper((unsigned char)names.config[i]);
  snprintf(names.problem, sizeof names.problem, "grouped_convolution_%s_tile_%s",
           ckt_direction_word(kind->direction), names.config);
  snprintf(names.signature, sizeof names.signature, "SIGNATURE_%s_%s", capitals,
           signature_ends[kind->direction]);
  return names;
}

/* ---- what stands where the template has a word ---- */

/* An instance and where its texts go. */
struct source {
  const struct ckt_cktile_names *names;
  const struct ckt_line_outcome *outcome;
  struct ckt_text *text;
};

static void emit_signature(const struct source *source) {
  ckt_text_append(source->text, source->names->signature);
}

static void emit_name(const struct source *source) {
  ckt_text_printf(source->text, "%s_%" PRId64, source->names->problem, source->outcome->line);
}

static void emit_number(const struct source *source, const char *before, enum ckt_outcome_number number) {
  ckt_text_append(source->text, before);
  ckt_outcome_number(source->outcome, number, source->text);
}

/* {.m = 1, .n = 2, .k = 3}, of three numbers that follow each other. */
static void emit_triple(const struct source *source, enum ckt_outcome_number first) {
  emit_number(source, "{.m = ", first);
  emit_number(source, ", .n = ", first + 1);
  emit_number(source, ", .k = ", first + 2);
  ckt_text_append(source->text, "}");
}

static void emit_specialization(const struct source *source) {
  ckt_text_append(source->text, "ckb::TileConvSpecialization::");
  ckt_text_append(source->text, specializations[source->outcome->instance.specialization]);
}

static void emit_thread_block(const struct source *source) {
  ckt_text_append(source->text, "ckt::TileThreadBlock{.tile_size = ");
  emit_triple(source, CKT_NUMBER_TILE_M);
  ckt_text_append(source->text, "}");
}

#define GEMM_INDENT "                    "

static void emit_block_gemm(const struct source *source) {
  const struct ckt_instance *instance = &source->outcome->instance;
  ckt_text_append(source->text, "ckt::TileBlockGemm{\n" GEMM_INDENT ".warps              = ");
  emit_triple(source, CKT_NUMBER_WARPS_M);
  ckt_text_append(source->text, ",\n" GEMM_INDENT ".warp_tile          = ");
  emit_triple(source, CKT_NUMBER_WARP_TILE_M);
  ckt_text_printf(source->text,
                  ",\n" GEMM_INDENT ".double_smem_buffer = %s,\n" GEMM_INDENT ".num_wave_groups    = %" PRId64
                  ",\n" GEMM_INDENT ".pipeline_version   = ckb::PipelineVersion::",
                  truth(instance->double_smem_buffer), instance->num_wave_groups);
  ckt_outcome_pipeline(source->outcome, source->text);
  ckt_text_printf(source->text, ",\n" GEMM_INDENT ".scheduler          = ckb::PipelineScheduler::%s}",
                  schedulers[instance->scheduler]);
}

/* The blank before the line's end belongs to it. */
static void emit_block_transfer(const struct source *source) {
  emit_number(source, "ckt::TileTransfer{.a_scalar_per_vector = ", CKT_NUMBER_VECTOR_A);
  emit_number(source, ", \n                .b_scalar_per_vector = ", CKT_NUMBER_VECTOR_B);
  emit_number(source, ", .c_scalar_per_vector = ", CKT_NUMBER_VECTOR_C);
  ckt_text_append(source->text, "}");
}

static void emit_optimizations(const struct source *source) {
  const struct ckt_instance *instance = &source->outcome->instance;
  emit_number(source, "ckt::TileOptimizations{.num_groups_to_merge = ", CKT_NUMBER_GROUPS_TO_MERGE);
  ckt_text_printf(source->text, ", .split_image = %s, .explicit_gemm = %s, .two_stage = %s}",
                  truth(instance->split_image), truth(instance->explicit_gemm), truth(instance->two_stage));
}

/* ---- the template ---- */

/* Rows: word of the template, what appends the text that replaces it. All are replaced in one pass: no text holds a
 * word, so the order in which the script replaces them shows only where words run into each other, as in
 * gen_thread_blogen_specialization. */
#define WORDS(ROW)                                                                                           \
  ROW("gen_signature", emit_signature)                                                                       \
  ROW("gen_instance_name", emit_name)                                                                        \
  ROW("gen_specialization", emit_specialization)                                                             \
  ROW("gen_thread_block", emit_thread_block)                                                                 \
  ROW("gen_block_gemm_desc", emit_block_gemm)                                                                \
  ROW("gen_block_transfer", emit_block_transfer)                                                             \
  ROW("gen_optimizations", emit_optimizations)

static const struct word {
  const char *word;
  size_t length;
  void (*emit)(const struct source *source);
} words[] = {
#define ROW(word, emit) {word, sizeof(word) - 1, emit},
    WORDS(ROW)
#undef ROW
};

/* A stretch of the template as it is, then a word. */
struct ckt_cktile_piece {
  size_t start, length;
  const struct word *word; /* NULL: the template's end */
};

/* More than any template has. */
#define TEMPLATE_BYTES_MAX ((size_t)1 << 20)

static int check_utf8(const char *path, const struct ckt_text *text, struct ckt_error *error) {
  size_t line = 1, start = 0;
  for (size_t at = 0, size; at < text->length; at += size) {
    unsigned point = 0;
    size = ckt_utf8_decode(text->data + at, text->length - at, &point);
    if (size == 0)
      return ckt_fail(error, CKT_E_INPUT, "%s:%zu:%zu: the byte 0x%02x is not UTF-8 text", path, line,
                      at - start + 1, (unsigned char)text->data[at]);
    if (point == '\n') {
      line++;
      start = at + 1;
    }
  }
  return CKT_OK;
}

/* \r\n and a lone \r become \n, in place. */
static void join_line_ends(struct ckt_text *text) {
  size_t kept = 0;
  for (size_t at = 0; at < text->length; at++) {
    char byte = text->data[at];
    if (byte == '\r') {
      byte = '\n';
      at += at + 1 < text->length && text->data[at + 1] == '\n';
    }
    text->data[kept++] = byte;
  }
  text->length = kept;
  if (text->data != NULL)
    text->data[kept] = '\0';
}

static const struct word *word_at(const char *text, size_t length) {
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (words[i].length <= length && memcmp(words[i].word, text, words[i].length) == 0)
      return &words[i];
  return NULL;
}

static int add_piece(struct ckt_cktile_template *template, size_t start, size_t end, const struct word *word,
                     struct ckt_error *error) {
  struct ckt_cktile_piece *pieces =
      realloc(template->pieces, (template->count + 1) * sizeof *template->pieces);
  if (pieces == NULL)
    return ckt_fail(error, CKT_E_NOMEM, "memory ran out");
  template->pieces = pieces;
  pieces[template->count++] = (struct ckt_cktile_piece){start, end - start, word};
  return CKT_OK;
}

static int cut(struct ckt_cktile_template *template, struct ckt_error *error) {
  const struct ckt_text *text = &template->text;
  size_t start = 0;
  for (size_t at = 0; at < text->length;) {
    const struct word *word = word_at(text->data + at, text->length - at);
    if (word != NULL) {
      CKT_TRY(add_piece(template, start, at, word, error));
      start = at + word->length;
    }
    at += word != NULL ? word->length : 1;
  }
  return add_piece(template, start, text->length, NULL, error);
}

int ckt_cktile_template_read(const char *path, struct ckt_cktile_template *template,
                             struct ckt_error *error) {
  *template = (struct ckt_cktile_template){0};
  ckt_text_init(&template->text, TEMPLATE_BYTES_MAX);
  CKT_TRY(ckt_file_read(path, &template->text, error));
  CKT_TRY(check_utf8(path, &template->text, error));
  join_line_ends(&template->text);
  return cut(template, error);
}

void ckt_cktile_template_free(struct ckt_cktile_template *template) {
  ckt_text_free(&template->text);
  free(template->pieces);
  *template = (struct ckt_cktile_template){0};
}

/* ---- the texts ---- */

void ckt_emit_cktile_source(const struct ckt_cktile_template *template, const struct ckt_cktile_names *names,
                            const struct ckt_line_outcome *outcome, struct ckt_text *text) {
  const struct source source = {names, outcome, text};
  for (size_t i = 0; i < template->count; i++) {
    const struct ckt_cktile_piece *piece = &template->pieces[i];
    ckt_text_append_bytes(text, ckt_text_string(&template->text) + piece->start, piece->length);
    if (piece->word != NULL)
      piece->word->emit(&source);
  }
}

void ckt_emit_cktile_call(const struct ckt_cktile_names *names, const struct ckt_line_outcome *outcome,
                          struct ckt_text *text) {
  ckt_text_printf(text, "run_alg(run_%s_%" PRId64 ");\n", names->problem, outcome->line);
}

void ckt_emit_cktile_declaration(const struct ckt_cktile_names *names, const struct ckt_line_outcome *outcome,
                                 struct ckt_text *text) {
  const char *signature = names->signature;
  ckt_text_printf(text,
                  "std::tuple<bool, float, std::string> run_%s_%" PRId64 "(\n"
                  "   const ckt::Args<%s>& args,\n"
                  "   const ckt::Inputs<%s>& inputs,\n"
                  "   const ckt::Outputs<%s>& outputs,\n"
                  "   const ck_tile::stream_config& s_conf);\n",
                  names->problem, outcome->line, signature, signature, signature);
}
