#include "gen/rules_hardware.h"

#include <inttypes.h>

#include "gen/derived.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* A workgroup has at most this many threads (hipDeviceProp_t::maxThreadsPerBlock on all of gfx9). */
#define BLOCK_MAX 1024
/* Widest global access of a lane the kernels move as one or two instructions of 16 bytes. */
#define VECTOR_MAX 8
/* Largest tile, wave count or warp tile that means anything; keeps products small. */
#define NUMBER_MAX 65536

static const char gemm_letter[] = "MNK";
static const char operand_letter[] = "ABC";

/* --- shape of the instance --- */

static bool numbers_are_sensible(const struct ckt_rule_case *judged) {
  const struct ckt_instance *instance = judged->instance;
  const struct {
    const char *name;
    const int64_t *values;
    const char *letters;
  } sets[] = {{"tile", instance->tile, gemm_letter},
              {"waves", instance->warps, gemm_letter},
              {"warp tile", instance->warp_tile, gemm_letter},
              {"vector", instance->vector, operand_letter}};
  for (size_t set = 0; set < COUNT(sets); set++)
    for (int i = 0; i < 3; i++)
      if (sets[set].values[i] < 1 || sets[set].values[i] > NUMBER_MAX)
        return ckt_refuse(judged, "%s %c of %" PRId64 " is not between 1 and %d", sets[set].name,
                          sets[set].letters[i], sets[set].values[i], NUMBER_MAX);
  return true;
}

static bool warps_cover_block(const struct ckt_rule_case *judged) {
  const struct ckt_instance *instance = judged->instance;
  const int64_t *warps = instance->warps;
  const int64_t threads = ckt_instance_threads(instance);
  return threads == instance->block_size ||
         ckt_refuse(judged,
                    "%" PRId64 "x%" PRId64 "x%" PRId64 " waves of %d lanes are %" PRId64
                    " threads, but the block size is %" PRId64,
                    warps[CKT_M], warps[CKT_N], warps[CKT_K], CKT_WAVE_LANES, threads, instance->block_size);
}

static bool block_size_is_possible(const struct ckt_rule_case *judged) {
  const int64_t threads = judged->instance->block_size;
  return threads <= BLOCK_MAX ||
         ckt_refuse(judged, "a block size of %" PRId64 " is more than the %d threads a workgroup may have",
                    threads, BLOCK_MAX);
}

/* K of the matrix instructions: V_MFMA_F32_{32X32X2,16X16X4}F32 and {32X32X8,16X16X16} of 16-bit operands
 * (AMD matrix instruction calculator). gfx908's bf16 has half that K, of which two make one. What a lane holds
 * for several of them is read from LDS in pieces of a power of two. */
static bool warp_tile_is_an_mfma(const struct ckt_rule_case *judged) {
  const int64_t *warp_tile = judged->instance->warp_tile;
  if (warp_tile[CKT_M] != warp_tile[CKT_N] || (warp_tile[CKT_M] != 32 && warp_tile[CKT_M] != 16))
    return ckt_refuse(judged,
                      "no matrix instruction computes %" PRId64 "x%" PRId64 ": warp tiles are 32x32 or 16x16",
                      warp_tile[CKT_M], warp_tile[CKT_N]);
  const int64_t of_16_bits = warp_tile[CKT_M] == 32 ? 8 : 16;
  const int64_t k = judged->instance->dtype == CKT_FP32 ? of_16_bits / 4 : of_16_bits;
  const int64_t calls = warp_tile[CKT_K] / k;
  return (calls * k == warp_tile[CKT_K] && (calls & (calls - 1)) == 0) ||
         ckt_refuse(judged,
                    "warp tile K of %" PRId64 " is not 1, 2, 4, ... times %" PRId64 ", the K of the %" PRId64
                    "x%" PRId64 " matrix instruction of %s",
                    warp_tile[CKT_K], k, warp_tile[CKT_M], warp_tile[CKT_N],
                    ckt_dtype_word(judged->instance->dtype));
}

static bool tile_is_whole(const struct ckt_rule_case *judged) {
  const struct ckt_instance *instance = judged->instance;
  for (int i = 0; i < CKT_GEMM_DIMS; i++) {
    const int64_t step = instance->warps[i] * instance->warp_tile[i];
    if (instance->tile[i] % step != 0)
      return ckt_refuse(judged,
                        "tile %c of %" PRId64 " is not a multiple of %" PRId64 " (%" PRId64
                        " waves x warp tile %" PRId64 ")",
                        gemm_letter[i], instance->tile[i], step, instance->warps[i], instance->warp_tile[i]);
  }
  return true;
}

static bool vectors_are_possible(const struct ckt_rule_case *judged) {
  for (int i = 0; i < CKT_GEMM_OPERANDS; i++) {
    const int64_t vector = judged->instance->vector[i];
    if (vector > VECTOR_MAX || (vector & (vector - 1)) != 0)
      return ckt_refuse(judged, "vector %c of %" PRId64 " is not 1, 2, 4 or 8", operand_letter[i], vector);
  }
  return true;
}

/* The dimension of the tile along which an operand's channels lie side by side in memory: forward reads input and
 * weight along C, its K; backward data reads the output's gradient along K and the weight along C, its N;
 * backward weight both along what is its M and its N. The result's channels are N everywhere. */
static const int vector_along[][CKT_GEMM_OPERANDS] = {
    [CKT_FORWARD] = {CKT_K, CKT_K, CKT_N},
    [CKT_BACKWARD_DATA] = {CKT_K, CKT_N, CKT_N},
    [CKT_BACKWARD_WEIGHT] = {CKT_M, CKT_N, CKT_N},
};

static bool vectors_fit_tile(const struct ckt_rule_case *judged) {
  const struct ckt_instance *instance = judged->instance;
  const int *along = vector_along[instance->direction];
  for (int i = 0; i < CKT_GEMM_OPERANDS; i++)
    if (instance->tile[along[i]] % instance->vector[i] != 0)
      return ckt_refuse(judged, "vector %c of %" PRId64 " does not divide tile %c of %" PRId64,
                        operand_letter[i], instance->vector[i], gemm_letter[along[i]],
                        instance->tile[along[i]]);
  return true;
}

/* --- what the architecture has --- */

static bool lds_is_enough(const struct ckt_rule_case *judged) {
  const int64_t bytes = ckt_instance_lds_bytes(judged->instance);
  return bytes <= judged->arch->lds_bytes ||
         ckt_refuse(judged, "%" PRId64 " bytes of LDS are needed, %s has %" PRId64, bytes, judged->arch->name,
                    judged->arch->lds_bytes);
}

static bool accumulators_fit(const struct ckt_rule_case *judged) {
  const int64_t needed = ckt_instance_accumulators(judged->instance);
  const int64_t most = judged->arch->unified_registers
                           ? judged->arch->accumulators
                           : judged->arch->accumulators / ckt_instance_waves_a_simd(judged->instance);
  return needed <= most || ckt_refuse(judged,
                                      "the tile needs %" PRId64 " accumulators a lane, %s has %" PRId64
                                      " in a workgroup of %" PRId64 " threads",
                                      needed, judged->arch->name, most, judged->instance->block_size);
}

/* Fewer registers than this means spilling. Accumulators count where they come from the same file. */
static bool registers_fit(const struct ckt_rule_case *judged) {
  const struct ckt_instance *instance = judged->instance;
  const int64_t needed = ckt_instance_working_registers(instance) +
                         (judged->arch->unified_registers ? ckt_instance_accumulators(instance) : 0);
  const int64_t most = judged->arch->vector_registers / ckt_instance_waves_a_simd(instance);
  return needed <= most || ckt_refuse(judged,
                                      "about %" PRId64 " registers a lane are needed, %s has %" PRId64
                                      " in a workgroup of %" PRId64 " threads",
                                      needed, judged->arch->name, most, instance->block_size);
}

/* --- the table --- */

const struct ckt_hardware_rule ckt_hardware_rules[] = {
    {"number_range", numbers_are_sensible, "tile, warps, warp tile and vectors lie between 1 and 65536"},
    {"warps_cover_block", warps_cover_block, "64 lanes for each of the warps are the block size"},
    {"block_size", block_size_is_possible, "a workgroup has at most 1024 threads"},
    {"matrix_instruction", warp_tile_is_an_mfma, "a warp tile is a number of calls of one MFMA instruction"},
    {"tile_is_whole", tile_is_whole, "the tile is a multiple of warps x warp tile along M, N and K"},
    {"vector_width", vectors_are_possible, "a global access moves 1, 2, 4 or 8 elements"},
    {"vector_cover", vectors_fit_tile, "vectors cover the rows of the tile without a rest"},
    {"lds", lds_is_enough, "the tiles fit into the LDS of a workgroup"},
    {"accumulators", accumulators_fit, "a lane's share of the tile fits into its accumulators"},
    {"registers", registers_fit, "what a lane holds fits into its registers"},
};

const size_t ckt_hardware_rule_count = COUNT(ckt_hardware_rules);
_Static_assert(COUNT(ckt_hardware_rules) <= CKT_HARDWARE_RULES_MAX, "callers have room for a number a rule");

/* gfx950 has no less of anything than the others have. */
#define MOST_CAPABLE "gfx950"

const struct ckt_hardware_rule *ckt_hardware_broken(const struct ckt_instance *instance,
                                                    const struct ckt_arch *arch,
                                                    char reason[CKT_REASON_MAX]) {
  const struct ckt_rule_case judged = {
      .instance = instance, .arch = arch != NULL ? arch : ckt_arch_find(MOST_CAPABLE), .reason = reason};
  if (reason != NULL)
    reason[0] = '\0';
  for (size_t i = 0; i < ckt_hardware_rule_count; i++)
    if (!ckt_hardware_rules[i].holds(&judged))
      return &ckt_hardware_rules[i];
  return NULL;
}
