/* Instances of Composable Kernel's lines by the hardware's rules. */
#include <inttypes.h>

#include "gen/ck_derive.h"
#include "gen/instance_reader.h"

/* A line under way. */
struct deriving {
  const struct ckt_ck_statement *statement;
  const struct ckt_problem_defaults *kind;
  struct ckt_instance *instance;
  struct ckt_ck_fault *fault;
};

static int64_t number(const struct deriving *line, enum ckt_ck_field field) {
  return line->statement->numbers[field];
}

static int refuse(const struct deriving *line, enum ckt_ck_field field, const char *expected) {
  const struct ckt_span text = line->statement->texts[field];
  return ckt_ck_fail(line->fault, CKT_CK_ValueError, text.text, "the %s is %s, expected %s",
                     ckt_ck_field_words(field), ckt_span_quote(text).text, expected);
}

/* --- what the line must agree with --- */

static int check_dtype(const struct deriving *line) {
  const struct ckt_span text = line->statement->texts[CKT_CK_DTYPE];
  if (text.text == NULL || ckt_span_equals(text, ckt_dtype_word(line->kind->dtype)))
    return CKT_OK;
  return ckt_ck_fail(line->fault, CKT_CK_ValueError, text.text,
                     "the instance is of data type %s, but the list is read as %s", ckt_span_quote(text).text,
                     ckt_dtype_word(line->kind->dtype));
}

static int check_spatial(const struct deriving *line) {
  const struct ckt_span text = line->statement->texts[CKT_CK_SPATIAL];
  const int64_t spatial = number(line, CKT_CK_SPATIAL);
  if (text.text == NULL || spatial == line->kind->spatial)
    return CKT_OK;
  return ckt_ck_fail(line->fault, CKT_CK_ValueError, text.text,
                     "the instance is for %" PRId64 " spatial dimensions, but the list is read as %d",
                     spatial, line->kind->spatial);
}

/* --- words --- */

static int read_specialization(const struct deriving *line) {
  return ckt_ck_specialization(line->statement, &line->instance->specialization)
             ? CKT_OK
             : refuse(line, CKT_CK_SPECIALIZATION, CKT_CK_SPECIALIZATION_WORDS);
}

static int read_scheduler(const struct deriving *line) {
  const struct ckt_span text = line->statement->texts[CKT_CK_SCHEDULER];
  const bool data = line->kind->direction == CKT_BACKWARD_DATA;
  if (text.text == NULL || ckt_span_equals(text, "Intrawave") || (data && ckt_span_equals(text, "Default")))
    line->instance->scheduler = CKT_INTRAWAVE;
  else if (ckt_span_equals(text, "Interwave"))
    line->instance->scheduler = CKT_INTERWAVE;
  else
    return refuse(line, CKT_CK_SCHEDULER,
                  data ? "Default, Intrawave or Interwave" : "Intrawave or Interwave");
  return CKT_OK;
}

/* With a direct load to LDS v1 and v4 are other pipelines; the rest has none. */
static int read_pipeline(const struct deriving *line) {
  const struct ckt_span version = line->statement->texts[CKT_CK_VERSION];
  const struct ckt_span direct = line->statement->texts[CKT_CK_DIRECT_LOAD];
  struct ckt_instance *instance = line->instance;
  if (version.text == NULL)
    return CKT_OK;
  instance->double_smem_buffer = ckt_span_equals(version, "v4");
  if (direct.text != NULL && ckt_span_equals(direct, "true")) {
    instance->pipeline = instance->double_smem_buffer ? CKT_PIPELINE_ASYNC_V4 : CKT_PIPELINE_ASYNC_V1;
    return instance->double_smem_buffer || ckt_span_equals(version, "v1")
               ? CKT_OK
               : refuse(line, CKT_CK_VERSION, "v1 or v4 with a direct load");
  }
  if (direct.text != NULL && !ckt_span_equals(direct, "false"))
    return refuse(line, CKT_CK_DIRECT_LOAD, "true or false");
  if (!ckt_ck_pipeline(version, &instance->pipeline) || instance->pipeline > CKT_PIPELINE_V5 ||
      version.text[0] != 'v')
    return refuse(line, CKT_CK_VERSION, "v1, v2, v3, v4 or v5");
  /* In backward weight CK's v5 is what CK Tile, and this program, call v6. */
  if (instance->pipeline == CKT_PIPELINE_V5 && line->kind->direction == CKT_BACKWARD_WEIGHT)
    instance->pipeline = CKT_PIPELINE_V6;
  return CKT_OK;
}

/* --- tile and waves --- */

static int derive_waves(const struct deriving *line, int dim, enum ckt_ck_field tile, enum ckt_ck_field xdl,
                        enum ckt_ck_field repeat) {
  struct ckt_instance *instance = line->instance;
  const int64_t of_a_wave = number(line, xdl) * number(line, repeat);
  instance->tile[dim] = number(line, tile);
  instance->warp_tile[dim] = number(line, xdl);
  instance->warps[dim] = instance->tile[dim] / of_a_wave;
  if (instance->tile[dim] % of_a_wave == 0)
    return CKT_OK;
  return ckt_ck_fail(line->fault, CKT_CK_ValueError, line->statement->texts[tile].text,
                     "the %s is %" PRId64 ", expected a multiple of %" PRId64
                     ", which a wave computes (%s %" PRId64 " x %s %" PRId64 ")",
                     ckt_ck_field_words(tile), instance->tile[dim], of_a_wave, ckt_ck_field_words(xdl),
                     number(line, xdl), ckt_ck_field_words(repeat), number(line, repeat));
}

/* What is left of the block size when the waves along M and N are counted. A wave count that does not come out
 * stays in the instance: it names a kernel that no hardware can run. */
static void derive_waves_along_k(const struct deriving *line) {
  struct ckt_instance *instance = line->instance;
  instance->block_size = number(line, CKT_CK_BLOCK_SIZE);
  instance->warps[CKT_K] = instance->block_size / (64 * instance->warps[CKT_M] * instance->warps[CKT_N]);
}

static int derive_k(const struct deriving *line) {
  struct ckt_instance *instance = line->instance;
  const bool both = line->statement->texts[CKT_CK_K1_B].text != NULL;
  const int64_t k1_a = number(line, CKT_CK_K1_A), k1_b = both ? number(line, CKT_CK_K1_B) : k1_a;
  if (line->kind->direction == CKT_BACKWARD_DATA && k1_a != k1_b)
    return ckt_ck_fail(line->fault, CKT_CK_ValueError, line->statement->texts[CKT_CK_K1_B].text,
                       "K1 of B is %" PRId64 ", expected %" PRId64 " as K1 of A", k1_b, k1_a);
  const int64_t k1 = k1_a < k1_b ? k1_a : k1_b;
  const int64_t least = ckt_ck_matrix_k(instance->dtype, number(line, CKT_CK_XDL_M) == 32);
  const bool in_pieces = line->statement->texts[CKT_CK_K0].text != NULL;
  instance->tile[CKT_K] = in_pieces ? number(line, CKT_CK_K0) * k1 : number(line, CKT_CK_TILE_K);
  instance->warp_tile[CKT_K] = k1 > least ? k1 : least;
  if (instance->tile[CKT_K] <= CKT_INSTANCE_NUMBER_MAX)
    return CKT_OK;
  return ckt_ck_fail(line->fault, CKT_CK_ValueError, line->statement->texts[CKT_CK_K0].text,
                     "K per block is %" PRId64 " (K0 x K1), which is too large, expected at most %" PRId64,
                     instance->tile[CKT_K], CKT_INSTANCE_NUMBER_MAX);
}

static int derive_tile(const struct deriving *line) {
  if (number(line, CKT_CK_XDL_M) != number(line, CKT_CK_XDL_N))
    return ckt_ck_fail(line->fault, CKT_CK_ValueError, line->statement->texts[CKT_CK_XDL_N].text,
                       "M per XDL is %" PRId64 " and N per XDL is %" PRId64 ", expected the same number",
                       number(line, CKT_CK_XDL_M), number(line, CKT_CK_XDL_N));
  CKT_TRY(derive_waves(line, CKT_M, CKT_CK_TILE_M, CKT_CK_XDL_M, CKT_CK_REPEAT_M));
  CKT_TRY(derive_waves(line, CKT_N, CKT_CK_TILE_N, CKT_CK_XDL_N, CKT_CK_REPEAT_N));
  derive_waves_along_k(line);
  return derive_k(line);
}

int ckt_ck_derive_hardware(const struct ckt_ck_statement *statement, const struct ckt_problem_defaults *kind,
                           struct ckt_instance *instance, struct ckt_ck_fault *fault) {
  static const enum ckt_ck_field vectors[] = {CKT_CK_VECTOR_A, CKT_CK_VECTOR_B, CKT_CK_VECTOR_C};
  const struct deriving line = {statement, kind, instance, fault};
  *instance = ckt_ck_blank(statement, kind);
  CKT_TRY(check_spatial(&line));
  CKT_TRY(check_dtype(&line));
  CKT_TRY(read_specialization(&line));
  CKT_TRY(read_scheduler(&line));
  CKT_TRY(read_pipeline(&line));
  CKT_TRY(derive_tile(&line));
  for (int i = 0; i < CKT_GEMM_OPERANDS; i++)
    instance->vector[i] = number(&line, vectors[i]);
  if (statement->texts[CKT_CK_GROUPS_TO_MERGE].text != NULL)
    instance->num_groups_to_merge = number(&line, CKT_CK_GROUPS_TO_MERGE);
  return CKT_OK;
}
