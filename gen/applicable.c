#include "gen/applicable.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/number.h"
/* The one header of kernels/ that gen reads: how much LDS a kernel declares is said in one place. */
#include "kernels/lds_layout.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* What the rules look at. problem is NULL while only the instance is judged. */
struct pair {
  const struct ckt_instance *instance;
  const struct ckt_problem *problem;
  const struct ckt_arch *arch;
  char *reason;
};

/* A rule: true, or false with its sentence in pair->reason. */
typedef bool rule(const struct pair *pair);

/* A workgroup has at most this many threads (hipDeviceProp_t::maxThreadsPerBlock on all of gfx9). */
#define BLOCK_MAX 1024
#define WAVE      64
#define SIMDS     4 /* of a compute unit; the waves of a workgroup share them */
/* Widest global access of a lane the kernels move as one or two instructions of 16 bytes. */
#define VECTOR_MAX 8
/* Largest tile, wave count or warp tile that means anything; keeps products small. */
#define NUMBER_MAX 65536
/* Sizes and offsets of the kernels are 32-bit, signed. */
#define OFFSET_LIMIT ((int64_t)1 << 31)
/* Coordinates are added up in 31 bits. */
#define POSITION_LIMIT ((int64_t)1 << 30)
#define GROUPS_MAX     65535

static const char gemm_letter[] = "MNK";
static const char operand_letter[] = "ABC";

__attribute__((format(printf, 2, 3))) static bool refuse(const struct pair *pair, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(pair->reason, CKT_REASON_MAX, format, arguments);
  va_end(arguments);
  return false;
}

/* --- what kernels/ can do so far --- */

static bool direction_is_built(const struct pair *pair) {
  const enum ckt_direction direction = pair->instance->direction;
  return direction == CKT_FORWARD || refuse(pair, "%s: not built yet", ckt_direction_word(direction));
}

static bool dimensions_are_built(const struct pair *pair) {
  return pair->instance->spatial == 2 ||
         refuse(pair, "%d spatial dimensions: not built yet", pair->instance->spatial);
}

static bool pipeline_is_built(const struct pair *pair) {
  const enum ckt_pipeline pipeline = pair->instance->pipeline;
  return pipeline == CKT_PIPELINE_V1 ||
         refuse(pair, "pipeline %s: not built yet", ckt_pipeline_word(pipeline));
}

static bool groups_are_not_merged(const struct pair *pair) {
  const int64_t groups = pair->instance->num_groups_to_merge;
  return groups == 1 || refuse(pair, "merged groups (%" PRId64 " in one workgroup): not built yet", groups);
}

static bool wave_groups_are_built(const struct pair *pair) {
  const int64_t groups = pair->instance->num_wave_groups;
  return groups == 1 || refuse(pair, "%" PRId64 " wave groups: not built yet", groups);
}

static bool k_is_not_split(const struct pair *pair) {
  const int64_t split = pair->instance->split_k;
  return split == 1 || refuse(pair, "split K of %" PRId64 ": not built yet", split);
}

static bool waves_along_k_are_built(const struct pair *pair) {
  const int64_t warps = pair->instance->warps[CKT_K];
  return warps <= 1 || refuse(pair, "%" PRId64 " waves along K: not built yet", warps);
}

static bool flags_are_built(const struct pair *pair) {
  const struct ckt_instance *instance = pair->instance;
  const struct {
    bool set;
    const char *name;
  } flags[] = {{instance->split_image, "split image"},
               {instance->explicit_gemm, "explicit GEMM"},
               {instance->two_stage, "two stages"},
               {instance->double_smem_buffer, "a double LDS buffer"},
               {instance->specialize_shape, "specialised shapes"}};
  for (size_t i = 0; i < COUNT(flags); i++)
    if (flags[i].set)
      return refuse(pair, "%s: not built yet", flags[i].name);
  return true;
}

/* --- shape of the instance --- */

static bool numbers_are_sensible(const struct pair *pair) {
  const struct ckt_instance *instance = pair->instance;
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
        return refuse(pair, "%s %c of %" PRId64 " is not between 1 and %d", sets[set].name,
                      sets[set].letters[i], sets[set].values[i], NUMBER_MAX);
  return true;
}

static bool block_size_fits_waves(const struct pair *pair) {
  const struct ckt_instance *instance = pair->instance;
  const int64_t *warps = instance->warps;
  const int64_t threads = warps[CKT_M] * warps[CKT_N] * warps[CKT_K] * WAVE;
  return threads == instance->block_size ||
         refuse(pair,
                "%" PRId64 "x%" PRId64 "x%" PRId64 " waves of %d lanes are %" PRId64
                " threads, but the block size is %" PRId64,
                warps[CKT_M], warps[CKT_N], warps[CKT_K], WAVE, threads, instance->block_size);
}

static bool block_size_is_possible(const struct pair *pair) {
  const int64_t threads = pair->instance->block_size;
  return threads <= BLOCK_MAX ||
         refuse(pair, "a block size of %" PRId64 " is more than the %d threads a workgroup may have", threads,
                BLOCK_MAX);
}

static bool tile_fits_waves(const struct pair *pair) {
  const struct ckt_instance *instance = pair->instance;
  for (int i = 0; i < CKT_GEMM_DIMS; i++) {
    const int64_t step = instance->warps[i] * instance->warp_tile[i];
    if (instance->tile[i] % step != 0)
      return refuse(pair,
                    "tile %c of %" PRId64 " is not a multiple of %" PRId64 " (%" PRId64
                    " waves x warp tile %" PRId64 ")",
                    gemm_letter[i], instance->tile[i], step, instance->warps[i], instance->warp_tile[i]);
  }
  return true;
}

/* K of the matrix instructions: V_MFMA_F32_{32X32X2,16X16X4}F32 and {32X32X8,16X16X16} of 16-bit operands
 * (AMD matrix instruction calculator). gfx908's bf16 has half that K, of which two make one. What a lane holds
 * for several of them is read from LDS in pieces of a power of two. */
static bool warp_tile_is_an_mfma(const struct pair *pair) {
  const int64_t *warp_tile = pair->instance->warp_tile;
  if (warp_tile[CKT_M] != warp_tile[CKT_N] || (warp_tile[CKT_M] != 32 && warp_tile[CKT_M] != 16))
    return refuse(pair,
                  "no matrix instruction computes %" PRId64 "x%" PRId64 ": warp tiles are 32x32 or 16x16",
                  warp_tile[CKT_M], warp_tile[CKT_N]);
  const int64_t of_16_bits = warp_tile[CKT_M] == 32 ? 8 : 16;
  const int64_t k = pair->instance->dtype == CKT_FP32 ? of_16_bits / 4 : of_16_bits;
  const int64_t calls = warp_tile[CKT_K] / k;
  return (calls * k == warp_tile[CKT_K] && (calls & (calls - 1)) == 0) ||
         refuse(pair,
                "warp tile K of %" PRId64 " is not 1, 2, 4, ... times %" PRId64 ", the K of the %" PRId64
                "x%" PRId64 " matrix instruction of %s",
                warp_tile[CKT_K], k, warp_tile[CKT_M], warp_tile[CKT_N],
                ckt_dtype_word(pair->instance->dtype));
}

static bool vectors_are_possible(const struct pair *pair) {
  for (int i = 0; i < CKT_GEMM_OPERANDS; i++) {
    const int64_t vector = pair->instance->vector[i];
    if (vector > VECTOR_MAX || (vector & (vector - 1)) != 0)
      return refuse(pair, "vector %c of %" PRId64 " is not 1, 2, 4 or 8", operand_letter[i], vector);
  }
  return true;
}

/* A and B are read along the tile's K, C is written along its N. */
static bool vectors_fit_tile(const struct pair *pair) {
  static const int along[CKT_GEMM_OPERANDS] = {CKT_K, CKT_K, CKT_N};
  const struct ckt_instance *instance = pair->instance;
  for (int i = 0; i < CKT_GEMM_OPERANDS; i++)
    if (instance->tile[along[i]] % instance->vector[i] != 0)
      return refuse(pair, "vector %c of %" PRId64 " does not divide tile %c of %" PRId64, operand_letter[i],
                    instance->vector[i], gemm_letter[along[i]], instance->tile[along[i]]);
  return true;
}

/* --- what the architecture has --- */

/* Numbers that would overflow the formula belong to no kernel. */
static bool lds_can_be_computed(const struct ckt_instance *instance) {
  for (int i = 0; i < CKT_GEMM_DIMS; i++)
    if (instance->tile[i] < 1 || instance->tile[i] > NUMBER_MAX || instance->warps[i] < 1 ||
        instance->warps[i] > NUMBER_MAX || instance->warp_tile[i] < 1 ||
        instance->warp_tile[i] > instance->tile[i] / instance->warps[i])
      return false;
  return true;
}

int64_t ckt_instance_lds_bytes(const struct ckt_instance *instance) {
  if (!lds_can_be_computed(instance))
    return -1;
  const struct ckt_lds_shape shape = {.tile_m = instance->tile[CKT_M],
                                      .tile_n = instance->tile[CKT_N],
                                      .tile_k = instance->tile[CKT_K],
                                      .warps_m = instance->warps[CKT_M],
                                      .warps_n = instance->warps[CKT_N],
                                      .warp_tile_m = instance->warp_tile[CKT_M],
                                      .warp_tile_n = instance->warp_tile[CKT_N],
                                      .element_bytes = ckt_dtype_bytes(instance->dtype),
                                      .buffers = instance->double_smem_buffer ? 2 : 1};
  return ckt_lds_bytes(shape);
}

static bool lds_is_enough(const struct pair *pair) {
  const int64_t bytes = ckt_instance_lds_bytes(pair->instance);
  return bytes <= pair->arch->lds_bytes ||
         refuse(pair, "%" PRId64 " bytes of LDS are needed, %s has %" PRId64, bytes, pair->arch->name,
                pair->arch->lds_bytes);
}

/* Waves of a workgroup that share one SIMD, and with it the registers of a lane. */
static int64_t waves_a_simd(const struct ckt_instance *instance) {
  return ckt_ceil_div_i64(instance->block_size / WAVE, SIMDS);
}

static int64_t accumulators(const struct ckt_instance *instance) {
  return instance->tile[CKT_M] * instance->tile[CKT_N] /
         (instance->warps[CKT_M] * instance->warps[CKT_N] * WAVE);
}

static bool accumulators_fit(const struct pair *pair) {
  const int64_t needed = accumulators(pair->instance);
  const int64_t most = pair->arch->unified_registers
                           ? pair->arch->accumulators
                           : pair->arch->accumulators / waves_a_simd(pair->instance);
  return needed <= most || refuse(pair,
                                  "the tile needs %" PRId64 " accumulators a lane, %s has %" PRId64
                                  " in a workgroup of %" PRId64 " threads",
                                  needed, pair->arch->name, most, pair->instance->block_size);
}

/* An estimate, low rather than high: accumulators where the file is unified, what a lane holds of the next
 * tiles on their way from memory to LDS, and a few for addresses. Fewer registers than this means spilling. */
static bool registers_fit(const struct pair *pair) {
  enum { FOR_ADDRESSES = 32, REGISTER_BYTES = 4 };
  const struct ckt_instance *instance = pair->instance;
  const int64_t staged = (instance->tile[CKT_M] + instance->tile[CKT_N]) * instance->tile[CKT_K] *
                         ckt_dtype_bytes(instance->dtype) / (instance->block_size * REGISTER_BYTES);
  const int64_t needed =
      staged + FOR_ADDRESSES + (pair->arch->unified_registers ? accumulators(instance) : 0);
  const int64_t most = pair->arch->vector_registers / waves_a_simd(instance);
  return needed <= most || refuse(pair,
                                  "about %" PRId64 " registers a lane are needed, %s has %" PRId64
                                  " in a workgroup of %" PRId64 " threads",
                                  needed, pair->arch->name, most, instance->block_size);
}

/* --- instance against problem --- */

static bool same_kind(const struct pair *pair) {
  const struct ckt_instance *instance = pair->instance;
  const struct ckt_problem *problem = pair->problem;
  if (instance->direction != problem->direction)
    return refuse(pair, "the instance is for %s, the problem is %s", ckt_direction_word(instance->direction),
                  ckt_direction_word(problem->direction));
  if (instance->dtype != problem->dtype)
    return refuse(pair, "the instance is for %s, the problem is %s", ckt_dtype_word(instance->dtype),
                  ckt_dtype_word(problem->dtype));
  return instance->spatial == problem->spatial ||
         refuse(pair, "the instance is for %dD, the problem is %dD", instance->spatial, problem->spatial);
}

static bool vectors_divide_channels(const struct pair *pair) {
  const struct ckt_problem *problem = pair->problem;
  const struct {
    const char *name;
    int64_t channels;
  } along[CKT_GEMM_OPERANDS] = {{"C", problem->c}, {"C", problem->c}, {"K", problem->k}};
  for (int i = 0; i < CKT_GEMM_OPERANDS; i++)
    if (along[i].channels % pair->instance->vector[i] != 0)
      return refuse(pair, "vector %c of %" PRId64 " does not divide %s=%" PRId64 "%s", operand_letter[i],
                    pair->instance->vector[i], along[i].name, along[i].channels,
                    problem->g > 1 ? " per group" : "");
  return true;
}

/* True when all axes have this value; the first other one is left in *other. */
static bool all_are(const struct ckt_problem *problem, const int64_t values[CKT_AXES], int64_t wanted,
                    int64_t *other) {
  for (int axis = CKT_AXES - problem->spatial; axis < CKT_AXES; axis++)
    if (values[axis] != wanted) {
      *other = values[axis];
      return false;
    }
  return true;
}

static bool specialization_fits(const struct pair *pair) {
  const struct ckt_problem *problem = pair->problem;
  const enum ckt_specialization specialization = pair->instance->specialization;
  if (specialization == CKT_SPEC_DEFAULT)
    return true;
  const char *word = ckt_specialization_word(specialization);
  const int64_t taps = specialization == CKT_SPEC_FILTER_3X3 ? 3 : 1;
  int64_t other = 0;
  if (!all_are(problem, problem->filter, taps, &other))
    return refuse(pair, "%s takes filters of %" PRId64 " along every axis only, this one has %" PRId64, word,
                  taps, other);
  if (specialization == CKT_SPEC_FILTER_3X3)
    return true;
  if (!all_are(problem, problem->pad_left, 0, &other) || !all_are(problem, problem->pad_right, 0, &other))
    return refuse(pair, "%s takes no padding, the problem has a pad of %" PRId64, word, other);
  if (specialization == CKT_SPEC_FILTER_1X1_PAD0 || all_are(problem, problem->stride, 1, &other))
    return true;
  return refuse(pair, "%s takes stride 1 only, the problem has %" PRId64, word, other);
}

static bool tensors_are_small(const struct pair *pair) {
  const struct ckt_problem *problem = pair->problem;
  const struct {
    const char *name;
    int64_t elements;
  } tensors[] = {{"input", ckt_problem_input_elements(problem)},
                 {"weight", ckt_problem_weight_elements(problem)},
                 {"output", ckt_problem_output_elements(problem)}};
  for (size_t i = 0; i < COUNT(tensors); i++) {
    const int64_t bytes = tensors[i].elements * ckt_dtype_bytes(problem->dtype);
    if (bytes >= OFFSET_LIMIT)
      return refuse(pair, "%s of %" PRId64 " bytes needs 64-bit offsets: not built yet", tensors[i].name,
                    bytes);
  }
  return true;
}

/* Where a kernel may look along an axis: in the padded input, and from its end on by the dilated filter, whose
 * position runs past its end by at most one tile of K. A single tap has no distance between taps. */
static bool coordinates_are_small(const struct pair *pair) {
  const struct ckt_problem *p = pair->problem;
  for (int axis = 0; axis < CKT_AXES; axis++) {
    const int64_t padded = p->in[axis] + p->pad_left[axis] + p->pad_right[axis];
    const int64_t distance = p->filter[axis] == 1 ? 1 : p->dilation[axis];
    int64_t reach = 0;
    if (padded >= POSITION_LIMIT)
      return refuse(pair, "a padded input extent of %" PRId64 " needs 64-bit coordinates: not built yet",
                    padded);
    if (!ckt_add_i64(p->filter[axis], pair->instance->tile[CKT_K], &reach) ||
        !ckt_mul_i64(reach, distance, &reach) || reach >= POSITION_LIMIT - padded)
      return refuse(pair,
                    "a filter of %" PRId64 " with dilation %" PRId64 " on a padded input of %" PRId64
                    " needs 64-bit coordinates: not built yet",
                    p->filter[axis], p->dilation[axis], padded);
    if (p->stride[axis] >= POSITION_LIMIT)
      return refuse(pair, "a stride of %" PRId64 " needs 64-bit coordinates: not built yet", p->stride[axis]);
  }
  return true;
}

/* HIP counts the work-items along x in 32 bits and the workgroups along y, here the groups, in 16. */
static bool grid_is_possible(const struct pair *pair) {
  const struct ckt_problem *problem = pair->problem;
  const int64_t pixels = ckt_problem_output_elements(problem) / (problem->g * problem->k);
  if (problem->g > GROUPS_MAX)
    return refuse(pair, "%" PRId64 " groups are more than the %d of one launch: not built yet", problem->g,
                  GROUPS_MAX);
  const int64_t tiles_m = ckt_ceil_div_i64(pixels, pair->instance->tile[CKT_M]);
  const int64_t tiles_n = ckt_ceil_div_i64(problem->k, pair->instance->tile[CKT_N]);
  const int64_t tiles = tiles_m * tiles_n; /* small tensors: below 2^31 */
  if (tiles < OFFSET_LIMIT && tiles * pair->instance->block_size < 2 * OFFSET_LIMIT)
    return true;
  return refuse(pair,
                "%" PRId64 "x%" PRId64 " tiles with %" PRId64
                " threads each are more than the 2^32 threads of one launch",
                tiles_m, tiles_n, pair->instance->block_size);
}

/* --- the lists of rules, in the order they are asked --- */

/* A later rule may rely on the earlier ones. */
static rule *const build_rules[] = {
    direction_is_built,    dimensions_are_built,    pipeline_is_built,      groups_are_not_merged,
    wave_groups_are_built, k_is_not_split,          flags_are_built,        numbers_are_sensible,
    block_size_fits_waves, waves_along_k_are_built, block_size_is_possible, warp_tile_is_an_mfma,
    tile_fits_waves,       vectors_are_possible,    vectors_fit_tile,       lds_is_enough,
    accumulators_fit,      registers_fit,
};

static rule *const problem_rules[] = {
    same_kind,         vectors_divide_channels, specialization_fits,
    tensors_are_small, coordinates_are_small,   grid_is_possible,
};

static bool ask(rule *const *rules, size_t count, const struct pair *pair) {
  pair->reason[0] = '\0';
  for (size_t i = 0; i < count; i++)
    if (!rules[i](pair))
      return false;
  return true;
}

bool ckt_buildable(const struct ckt_instance *instance, const struct ckt_arch *arch,
                   char reason[CKT_REASON_MAX]) {
  const struct pair pair = {instance, NULL, arch, reason};
  return ask(build_rules, COUNT(build_rules), &pair);
}

bool ckt_applicable(const struct ckt_instance *instance, const struct ckt_problem *problem,
                    const struct ckt_arch *arch, char reason[CKT_REASON_MAX]) {
  const struct pair pair = {instance, problem, arch, reason};
  return ckt_buildable(instance, arch, reason) && ask(problem_rules, COUNT(problem_rules), &pair);
}
