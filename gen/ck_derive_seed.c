/* Instances of Composable Kernel's lines by the rules of its own generator, generate_instances.py: the same
 * values, in the same order of checks, with the same words where they are its own. Its numbers have no limit. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen/capitals.h"
#include "gen/ck_derive.h"
#include "gen/instance_reader.h"
#include "gen/wide.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { LANES = 64 };

/* A line under way. */
struct deriving {
  const struct ckt_ck_statement *statement;
  const struct ckt_outcome_request *request;
  struct ckt_line_outcome *outcome;
  struct ckt_ck_fault *fault;
  struct ckt_wide_pool pool;
  struct ckt_wide numbers[CKT_OUTCOME_NUMBER_COUNT];
  struct ckt_span version; /* "v1" of kinds that have none */
};

static struct ckt_wide stated(struct deriving *line, enum ckt_ck_field field) {
  if ((line->statement->beyond >> field & 1) == 0)
    return ckt_wide_of(line->statement->numbers[field]);
  return ckt_wide_read(&line->pool, line->statement->texts[field]);
}

static bool has(const struct deriving *line, enum ckt_ck_field field) {
  return line->statement->texts[field].text != NULL;
}

/* --- K1 --- */

static int fail_k1(struct deriving *line, struct ckt_wide k1_a, struct ckt_wide k1_b) {
  struct ckt_text *reason = &line->fault->reason;
  ckt_text_printf(reason, "Not supported instance %" PRId64 " since ak1 != bk1. ak1: ", line->outcome->line);
  ckt_wide_append(&line->pool, k1_a, reason);
  ckt_text_append(reason, ", bk1: ");
  ckt_wide_append(&line->pool, k1_b, reason);
  ckt_text_append(reason, " in instance: ");
  ckt_ck_quote_line(line->statement, reason);
  return ckt_ck_fail(line->fault, CKT_CK_RuntimeError, line->statement->texts[CKT_CK_K1_B].text,
                     "K1 of B is %s, expected %s as K1 of A",
                     ckt_span_quote(line->statement->texts[CKT_CK_K1_B]).text,
                     ckt_span_quote(line->statement->texts[CKT_CK_K1_A]).text);
}

static int derive_k1(struct deriving *line, struct ckt_wide *k1) {
  const struct ckt_wide k1_a = stated(line, CKT_CK_K1_A);
  const struct ckt_wide k1_b = has(line, CKT_CK_K1_B) ? stated(line, CKT_CK_K1_B) : k1_a;
  if (line->statement->kind->direction == CKT_BACKWARD_DATA && ckt_wide_compare(k1_a, k1_b) != 0)
    return fail_k1(line, k1_a, k1_b);
  *k1 = ckt_wide_least(k1_a, k1_b);
  return CKT_OK;
}

/* --- words --- */

static int fail_word(struct deriving *line, enum ckt_ck_field field, const char *words,
                     const char *expected) {
  const struct ckt_span text = line->statement->texts[field];
  struct ckt_text *reason = &line->fault->reason;
  ckt_text_printf(reason, "Invalid Block GEMM pipeline %s: ", words);
  ckt_text_append_bytes(reason, text.text, text.length);
  ckt_text_append(reason, " in instance: ");
  ckt_ck_quote_line(line->statement, reason);
  return ckt_ck_fail(line->fault, CKT_CK_RuntimeError, text.text, "the %s is %s, expected %s",
                     ckt_ck_field_words(field), ckt_span_quote(text).text, expected);
}

/* Forward: Intrawave wherever that word is in the text. Backward: one of two words, and in data a third one. */
static int read_scheduler(struct deriving *line) {
  const struct ckt_span text = line->statement->texts[CKT_CK_SCHEDULER];
  const enum ckt_direction direction = line->statement->kind->direction;
  enum ckt_scheduler *scheduler = &line->outcome->instance.scheduler;
  if (text.text == NULL)
    return CKT_OK;
  if (direction == CKT_FORWARD) {
    *scheduler = ckt_span_contains(text, "Intrawave") ? CKT_INTRAWAVE : CKT_INTERWAVE;
    return CKT_OK;
  }
  const bool data = direction == CKT_BACKWARD_DATA;
  *scheduler = ckt_span_equals(text, "Interwave") ? CKT_INTERWAVE : CKT_INTRAWAVE;
  if (*scheduler == CKT_INTERWAVE || ckt_span_equals(text, "Intrawave") ||
      (data && ckt_span_equals(text, "Default")))
    return CKT_OK;
  return fail_word(line, CKT_CK_SCHEDULER, "scheduler",
                   data ? "Default, Intrawave or Interwave" : "Intrawave or Interwave");
}

static int read_version(struct deriving *line) {
  static const char *const versions[] = {"v1", "v2", "v3", "v4", "v5"};
  line->version = has(line, CKT_CK_VERSION) ? line->statement->texts[CKT_CK_VERSION] : ckt_span_of("v1");
  line->outcome->instance.double_smem_buffer = ckt_span_equals(line->version, "v4");
  if (line->statement->kind->direction == CKT_FORWARD)
    return CKT_OK;
  for (size_t i = 0; i < COUNT(versions); i++)
    if (ckt_span_equals(line->version, versions[i]))
      return CKT_OK;
  return fail_word(line, CKT_CK_VERSION, "version", "v1, v2, v3, v4 or v5");
}

static struct ckt_exact_texts *exact_texts(struct deriving *line) {
  if (line->outcome->exact == NULL)
    line->outcome->exact = calloc(1, sizeof *line->outcome->exact);
  line->pool.failed |= line->outcome->exact == NULL;
  return line->outcome->exact;
}

static void keep_text(struct deriving *line, char **place, struct ckt_text *text) {
  *place = ckt_text_take(text, NULL);
  line->pool.failed |= *place == NULL;
}

/* A version that is no pipeline of CK Tile is written as it is, in capitals. */
static void keep_version(struct deriving *line) {
  struct ckt_exact_texts *exact = exact_texts(line);
  struct ckt_text capitals = {0};
  ckt_append_capitals(line->version, &capitals);
  if (exact != NULL)
    keep_text(line, &exact->pipeline, &capitals);
  ckt_text_free(&capitals);
}

static int derive_pipeline(struct deriving *line) {
  struct ckt_instance *instance = &line->outcome->instance;
  const struct ckt_span direct = line->statement->texts[CKT_CK_DIRECT_LOAD];
  const bool twice = instance->double_smem_buffer;
  if (direct.text != NULL && ckt_span_equals(direct, "true")) {
    instance->pipeline = twice ? CKT_PIPELINE_ASYNC_V4 : CKT_PIPELINE_ASYNC_V1;
    if (twice || ckt_span_equals(line->version, "v1"))
      return CKT_OK;
    ckt_text_append_bytes(&line->fault->reason, line->version.text, line->version.length);
    ckt_text_append(&line->fault->reason, " not supported pipeline for direct load");
    return ckt_ck_fail(line->fault, CKT_CK_RuntimeError, line->version.text,
                       "the pipeline version is %s with a direct load, expected v1 or v4",
                       ckt_span_quote(line->version).text);
  }
  if (!ckt_ck_pipeline(line->version, &instance->pipeline))
    keep_version(line);
  else if (instance->pipeline == CKT_PIPELINE_V5 && line->statement->kind->direction != CKT_FORWARD)
    instance->pipeline = CKT_PIPELINE_V6;
  return CKT_OK;
}

/* --- tile and waves --- */

static int divide(struct deriving *line, const char *what, struct ckt_wide dividend, struct ckt_wide divisor,
                  struct ckt_wide *quotient) {
  if (ckt_wide_equals(divisor, 0))
    return ckt_ck_fail(line->fault, CKT_CK_ZeroDivisionError, NULL,
                       "the waves along %s cannot be counted: something is to be divided by 0", what);
  if (ckt_wide_trunc(&line->pool, dividend, divisor, quotient))
    return CKT_OK;
  return ckt_ck_fail(line->fault, CKT_CK_OverflowError, NULL,
                     "the waves along %s cannot be counted: their number is too large for a double", what);
}

static int derive_waves(struct deriving *line) {
  struct ckt_wide *numbers = line->numbers;
  struct ckt_wide_pool *pool = &line->pool;
  const struct ckt_wide xdl_m = numbers[CKT_NUMBER_WARP_TILE_M], xdl_n = numbers[CKT_NUMBER_WARP_TILE_N];
  CKT_TRY(divide(line, "M", numbers[CKT_NUMBER_TILE_M],
                 ckt_wide_multiply(pool, xdl_m, stated(line, CKT_CK_REPEAT_M)),
                 &numbers[CKT_NUMBER_WARPS_M]));
  CKT_TRY(divide(line, "N", numbers[CKT_NUMBER_TILE_N],
                 ckt_wide_multiply(pool, xdl_n, stated(line, CKT_CK_REPEAT_N)),
                 &numbers[CKT_NUMBER_WARPS_N]));
  const struct ckt_wide lanes =
      ckt_wide_multiply(pool, ckt_wide_multiply(pool, ckt_wide_of(LANES), numbers[CKT_NUMBER_WARPS_M]),
                        numbers[CKT_NUMBER_WARPS_N]);
  return divide(line, "K", stated(line, CKT_CK_BLOCK_SIZE), lanes, &numbers[CKT_NUMBER_WARPS_K]);
}

static int derive_warp_tile_k(struct deriving *line, struct ckt_wide k1) {
  const struct ckt_wide xdl_m = line->numbers[CKT_NUMBER_WARP_TILE_M];
  if (line->request->dtype_unknown) {
    ckt_text_printf(&line->fault->reason, "Cannot parse data type from problem name: %s",
                    line->request->problem_name);
    return ckt_ck_fail(line->fault, CKT_CK_RuntimeError, NULL,
                       "the list's name %s holds no data type, expected fp32, fp16 or bf16 in it",
                       ckt_span_quote(ckt_span_of(line->request->problem_name)).text);
  }
  if (ckt_wide_compare(xdl_m, line->numbers[CKT_NUMBER_WARP_TILE_N]) != 0) {
    ckt_text_append(&line->fault->reason, "Not supported");
    return ckt_ck_fail(line->fault, CKT_CK_RuntimeError, line->statement->texts[CKT_CK_XDL_N].text,
                       "M per XDL is %s and N per XDL is %s, expected the same number",
                       ckt_span_quote(line->statement->texts[CKT_CK_XDL_M]).text,
                       ckt_span_quote(line->statement->texts[CKT_CK_XDL_N]).text);
  }
  const int64_t least = ckt_ck_matrix_k(line->request->kind.dtype, ckt_wide_equals(xdl_m, 32));
  line->numbers[CKT_NUMBER_WARP_TILE_K] = ckt_wide_most(k1, ckt_wide_of(least));
  return CKT_OK;
}

static int derive_tile(struct deriving *line) {
  struct ckt_wide *numbers = line->numbers;
  struct ckt_wide k1 = {0};
  CKT_TRY(derive_k1(line, &k1));
  CKT_TRY(read_scheduler(line));
  CKT_TRY(read_version(line));
  CKT_TRY(derive_pipeline(line));
  numbers[CKT_NUMBER_TILE_M] = stated(line, CKT_CK_TILE_M);
  numbers[CKT_NUMBER_TILE_N] = stated(line, CKT_CK_TILE_N);
  numbers[CKT_NUMBER_TILE_K] = has(line, CKT_CK_K0)
                                   ? ckt_wide_multiply(&line->pool, stated(line, CKT_CK_K0), k1)
                                   : stated(line, CKT_CK_TILE_K);
  numbers[CKT_NUMBER_WARP_TILE_M] = stated(line, CKT_CK_XDL_M);
  numbers[CKT_NUMBER_WARP_TILE_N] = stated(line, CKT_CK_XDL_N);
  CKT_TRY(derive_waves(line));
  return derive_warp_tile_k(line, k1);
}

/* --- vectors --- */

static void read_vectors(struct deriving *line) {
  line->numbers[CKT_NUMBER_VECTOR_A] = stated(line, CKT_CK_VECTOR_A);
  line->numbers[CKT_NUMBER_VECTOR_B] = stated(line, CKT_CK_VECTOR_B);
  line->numbers[CKT_NUMBER_VECTOR_C] = stated(line, CKT_CK_VECTOR_C);
}

static bool vectors_are_regular(const struct deriving *line) {
  for (int i = CKT_NUMBER_VECTOR_A; i <= CKT_NUMBER_VECTOR_C; i++)
    if (ckt_wide_is_odd(line->numbers[i]) && !ckt_wide_equals(line->numbers[i], 1))
      return false;
  return true;
}

/* No more than the threads of a block need to read a warp tile once. */
static int cap_vector(struct deriving *line, enum ckt_outcome_number vector, enum ckt_outcome_number rows) {
  const struct ckt_wide threads = stated(line, CKT_CK_BLOCK_SIZE);
  if (ckt_wide_equals(threads, 0))
    return ckt_ck_fail(line->fault, CKT_CK_ZeroDivisionError, line->statement->texts[CKT_CK_BLOCK_SIZE].text,
                       "the block size is 0, expected 1 or more");
  const struct ckt_wide elements =
      ckt_wide_multiply(&line->pool, line->numbers[rows], line->numbers[CKT_NUMBER_WARP_TILE_K]);
  const struct ckt_wide most = ckt_wide_most(ckt_wide_of(1), ckt_wide_floor(&line->pool, elements, threads));
  line->numbers[vector] = ckt_wide_least(line->numbers[vector], most);
  return CKT_OK;
}

/* --- what the generator passes over --- */

/* The word of its message; NULL for a line that it takes. */
static const char *skip_word(const struct deriving *line) {
  const struct ckt_instance *instance = &line->outcome->instance;
  const bool forward = instance->direction == CKT_FORWARD;
  const bool known = line->outcome->exact == NULL || line->outcome->exact->pipeline == NULL;
  if (forward && instance->split_image)
    return "split_image";
  if (!forward && !vectors_are_regular(line))
    return "irregular load";
  if (forward && known && instance->pipeline == CKT_PIPELINE_V5)
    return "V5";
  if (forward && known && instance->pipeline == CKT_PIPELINE_ASYNC_V4)
    return "ASYNC_V4";
  return !forward && instance->pipeline == CKT_PIPELINE_V6 ? "V6" : NULL;
}

static void skip(struct deriving *line, const char *word) {
  struct ckt_text text = {0};
  ckt_text_printf(&text, "Skipping instance %" PRId64 " with %s since it's not supported yet.",
                  line->outcome->line, word);
  line->outcome->status = CKT_OUTCOME_SKIPPED;
  keep_text(line, &line->outcome->reason, &text);
}

/* --- the instance --- */

static bool fits(struct ckt_wide number) {
  return number.limbs == NULL && number.small <= CKT_INSTANCE_NUMBER_MAX &&
         number.small >= -CKT_INSTANCE_NUMBER_MAX;
}

/* Numbers beyond what instances hold stay as texts. */
static void keep_numbers(struct deriving *line) {
  struct ckt_instance *instance = &line->outcome->instance;
  int64_t *const places[] = {
#define ROW(suffix, member) &instance->member,
      CKT_OUTCOME_NUMBERS(ROW)
#undef ROW
  };
  for (size_t i = 0; i < COUNT(places); i++) {
    if (fits(line->numbers[i])) {
      *places[i] = line->numbers[i].small;
      continue;
    }
    struct ckt_text text = {0};
    struct ckt_exact_texts *exact = exact_texts(line);
    ckt_wide_append(&line->pool, line->numbers[i], &text);
    if (exact != NULL)
      keep_text(line, &exact->numbers[i], &text);
    ckt_text_free(&text);
  }
}

/* The generator takes the groups to merge of two-stage lines as they stand. */
static void keep_merge_text(struct deriving *line) {
  const struct ckt_span text = line->statement->texts[CKT_CK_GROUPS_TO_MERGE];
  int64_t value = 0;
  bool too_large;
  char plain[24];
  if (ckt_instance_read_whole(text, &value, &too_large)) {
    snprintf(plain, sizeof plain, "%" PRId64, value);
    line->outcome->instance.num_groups_to_merge = value;
    if (ckt_span_equals(text, plain))
      return; /* as every list has it */
  }
  struct ckt_exact_texts *exact = exact_texts(line);
  struct ckt_text copy = {0};
  ckt_text_append_bytes(&copy, text.text, text.length);
  if (exact != NULL)
    keep_text(line, &exact->numbers[CKT_NUMBER_GROUPS_TO_MERGE], &copy);
  ckt_text_free(&copy);
}

static int finish(struct deriving *line) {
  struct ckt_line_outcome *outcome = line->outcome;
  if (outcome->instance.direction == CKT_BACKWARD_DATA) {
    CKT_TRY(cap_vector(line, CKT_NUMBER_VECTOR_A, CKT_NUMBER_WARP_TILE_M));
    CKT_TRY(cap_vector(line, CKT_NUMBER_VECTOR_B, CKT_NUMBER_WARP_TILE_N));
  }
  const bool as_text = line->statement->kind->merges_text;
  line->numbers[CKT_NUMBER_GROUPS_TO_MERGE] =
      has(line, CKT_CK_GROUPS_TO_MERGE) && !as_text ? stated(line, CKT_CK_GROUPS_TO_MERGE) : ckt_wide_of(1);
  keep_numbers(line);
  if (as_text)
    keep_merge_text(line);
  if (ckt_ck_specialization(line->statement, &outcome->instance.specialization))
    return CKT_OK;
  line->fault->late = true;
  ckt_text_append(&line->fault->reason, "not supported specialization");
  return ckt_ck_fail(line->fault, CKT_CK_RuntimeError, line->statement->texts[CKT_CK_SPECIALIZATION].text,
                     "the convolution specialization is %s, expected " CKT_CK_SPECIALIZATION_WORDS,
                     ckt_span_quote(line->statement->texts[CKT_CK_SPECIALIZATION]).text);
}

static int derive(struct deriving *line) {
  line->outcome->instance = ckt_ck_blank(line->statement, &line->request->kind);
  line->outcome->specialization = ckt_ck_specialization_word(line->statement);
  CKT_TRY(derive_tile(line));
  read_vectors(line);
  const char *word = skip_word(line);
  if (word == NULL)
    return finish(line);
  skip(line, word);
  return CKT_OK;
}

int ckt_ck_derive_seed(const struct ckt_ck_statement *statement, const struct ckt_outcome_request *request,
                       struct ckt_line_outcome *outcome, struct ckt_ck_fault *fault) {
  struct deriving line = {.statement = statement, .request = request, .outcome = outcome, .fault = fault};
  int status = derive(&line);
  if (line.pool.failed)
    status = ckt_fail(&fault->error, CKT_E_NOMEM, "memory ran out");
  ckt_wide_pool_free(&line.pool);
  return status;
}
