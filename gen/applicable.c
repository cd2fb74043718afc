#include "gen/applicable.h"

#include <inttypes.h>

#include "common/number.h"
#include "gen/rules_hardware.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Sizes and offsets of the kernels are 32-bit, signed. */
#define OFFSET_LIMIT ((int64_t)1 << 31)
/* Coordinates are added up in 31 bits. */
#define POSITION_LIMIT ((int64_t)1 << 30)
#define GROUPS_MAX     65535

/* --- what kernels/ can do so far --- */

static bool direction_is_built(const struct ckt_rule_case *judged) {
  const enum ckt_direction direction = judged->instance->direction;
  return direction == CKT_FORWARD || ckt_refuse(judged, "%s: not built yet", ckt_direction_word(direction));
}

static bool dimensions_are_built(const struct ckt_rule_case *judged) {
  return judged->instance->spatial == 2 ||
         ckt_refuse(judged, "%d spatial dimensions: not built yet", judged->instance->spatial);
}

static bool pipeline_is_built(const struct ckt_rule_case *judged) {
  const enum ckt_pipeline pipeline = judged->instance->pipeline;
  return pipeline == CKT_PIPELINE_V1 ||
         ckt_refuse(judged, "pipeline %s: not built yet", ckt_pipeline_word(pipeline));
}

static bool groups_are_not_merged(const struct ckt_rule_case *judged) {
  const int64_t groups = judged->instance->num_groups_to_merge;
  return groups == 1 ||
         ckt_refuse(judged, "merged groups (%" PRId64 " in one workgroup): not built yet", groups);
}

static bool wave_groups_are_built(const struct ckt_rule_case *judged) {
  const int64_t groups = judged->instance->num_wave_groups;
  return groups == 1 || ckt_refuse(judged, "%" PRId64 " wave groups: not built yet", groups);
}

static bool k_is_not_split(const struct ckt_rule_case *judged) {
  const int64_t split = judged->instance->split_k;
  return split == 1 || ckt_refuse(judged, "split K of %" PRId64 ": not built yet", split);
}

static bool waves_along_k_are_built(const struct ckt_rule_case *judged) {
  const int64_t warps = judged->instance->warps[CKT_K];
  return warps <= 1 || ckt_refuse(judged, "%" PRId64 " waves along K: not built yet", warps);
}

static bool flags_are_built(const struct ckt_rule_case *judged) {
  const struct ckt_instance *instance = judged->instance;
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
      return ckt_refuse(judged, "%s: not built yet", flags[i].name);
  return true;
}

/* --- instance against problem --- */

static bool same_kind(const struct ckt_rule_case *judged) {
  const struct ckt_instance *instance = judged->instance;
  const struct ckt_problem *problem = judged->problem;
  if (instance->direction != problem->direction)
    return ckt_refuse(judged, "the instance is for %s, the problem is %s",
                      ckt_direction_word(instance->direction), ckt_direction_word(problem->direction));
  if (instance->dtype != problem->dtype)
    return ckt_refuse(judged, "the instance is for %s, the problem is %s", ckt_dtype_word(instance->dtype),
                      ckt_dtype_word(problem->dtype));
  return instance->spatial == problem->spatial ||
         ckt_refuse(judged, "the instance is for %dD, the problem is %dD", instance->spatial,
                    problem->spatial);
}

static bool vectors_divide_channels(const struct ckt_rule_case *judged) {
  const struct ckt_problem *problem = judged->problem;
  const struct {
    const char *name;
    int64_t channels;
  } along[CKT_GEMM_OPERANDS] = {{"C", problem->c}, {"C", problem->c}, {"K", problem->k}};
  for (int i = 0; i < CKT_GEMM_OPERANDS; i++)
    if (along[i].channels % judged->instance->vector[i] != 0)
      return ckt_refuse(judged, "vector %c of %" PRId64 " does not divide %s=%" PRId64 "%s", "ABC"[i],
                        judged -> instance -> vector[i], along[i].name, along[i].channels,
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

static bool specialization_fits(const struct ckt_rule_case *judged) {
  const struct ckt_problem *problem = judged->problem;
  const enum ckt_specialization specialization = judged->instance->specialization;
  if (specialization == CKT_SPEC_DEFAULT)
    return true;
  const char *word = ckt_specialization_word(specialization);
  const int64_t taps = specialization == CKT_SPEC_FILTER_3X3 ? 3 : 1;
  int64_t other = 0;
  if (!all_are(problem, problem->filter, taps, &other))
    return ckt_refuse(judged, "%s takes filters of %" PRId64 " along every axis only, this one has %" PRId64,
                      word, taps, other);
  if (specialization == CKT_SPEC_FILTER_3X3)
    return true;
  if (!all_are(problem, problem->pad_left, 0, &other) || !all_are(problem, problem->pad_right, 0, &other))
    return ckt_refuse(judged, "%s takes no padding, the problem has a pad of %" PRId64, word, other);
  if (specialization == CKT_SPEC_FILTER_1X1_PAD0 || all_are(problem, problem->stride, 1, &other))
    return true;
  return ckt_refuse(judged, "%s takes stride 1 only, the problem has %" PRId64, word, other);
}

static bool tensors_are_small(const struct ckt_rule_case *judged) {
  const struct ckt_problem *problem = judged->problem;
  const struct {
    const char *name;
    int64_t elements;
  } tensors[] = {{"input", ckt_problem_input_elements(problem)},
                 {"weight", ckt_problem_weight_elements(problem)},
                 {"output", ckt_problem_output_elements(problem)}};
  for (size_t i = 0; i < COUNT(tensors); i++) {
    const int64_t bytes = tensors[i].elements * ckt_dtype_bytes(problem->dtype);
    if (bytes >= OFFSET_LIMIT)
      return ckt_refuse(judged, "%s of %" PRId64 " bytes needs 64-bit offsets: not built yet",
                        tensors[i].name, bytes);
  }
  return true;
}

/* Where a kernel may look along an axis: in the padded input, and from its end on by the dilated filter, whose
 * position runs past its end by at most one tile of K. A single tap has no distance between taps. */
static bool coordinates_are_small(const struct ckt_rule_case *judged) {
  const struct ckt_problem *p = judged->problem;
  for (int axis = 0; axis < CKT_AXES; axis++) {
    const int64_t padded = p->in[axis] + p->pad_left[axis] + p->pad_right[axis];
    const int64_t distance = p->filter[axis] == 1 ? 1 : p->dilation[axis];
    int64_t reach = 0;
    if (padded >= POSITION_LIMIT)
      return ckt_refuse(
          judged, "a padded input extent of %" PRId64 " needs 64-bit coordinates: not built yet", padded);
    if (!ckt_add_i64(p->filter[axis], judged->instance->tile[CKT_K], &reach) ||
        !ckt_mul_i64(reach, distance, &reach) || reach >= POSITION_LIMIT - padded)
      return ckt_refuse(judged,
                        "a filter of %" PRId64 " with dilation %" PRId64 " on a padded input of %" PRId64
                        " needs 64-bit coordinates: not built yet",
                        p->filter[axis], p->dilation[axis], padded);
    if (p->stride[axis] >= POSITION_LIMIT)
      return ckt_refuse(judged, "a stride of %" PRId64 " needs 64-bit coordinates: not built yet",
                        p->stride[axis]);
  }
  return true;
}

/* HIP counts the work-items along x in 32 bits and the workgroups along y, here the groups, in 16. */
static bool grid_is_possible(const struct ckt_rule_case *judged) {
  const struct ckt_problem *problem = judged->problem;
  const int64_t pixels = ckt_problem_output_elements(problem) / (problem->g * problem->k);
  if (problem->g > GROUPS_MAX)
    return ckt_refuse(judged, "%" PRId64 " groups are more than the %d of one launch: not built yet",
                      problem->g, GROUPS_MAX);
  const int64_t tiles_m = ckt_ceil_div_i64(pixels, judged->instance->tile[CKT_M]);
  const int64_t tiles_n = ckt_ceil_div_i64(problem->k, judged->instance->tile[CKT_N]);
  const int64_t tiles = tiles_m * tiles_n; /* small tensors: below 2^31 */
  if (tiles < OFFSET_LIMIT && tiles * judged->instance->block_size < 2 * OFFSET_LIMIT)
    return true;
  return ckt_refuse(judged,
                    "%" PRId64 "x%" PRId64 " tiles with %" PRId64
                    " threads each are more than the 2^32 threads of one launch",
                    tiles_m, tiles_n, judged->instance->block_size);
}

/* --- the lists of rules, in the order they are asked --- */

static ckt_rule *const kernel_rules[] = {
    direction_is_built,    dimensions_are_built, pipeline_is_built, groups_are_not_merged,
    wave_groups_are_built, k_is_not_split,       flags_are_built,   waves_along_k_are_built,
};

/* Rely on the instance being one that can be built. */
static ckt_rule *const problem_rules[] = {
    same_kind,         vectors_divide_channels, specialization_fits,
    tensors_are_small, coordinates_are_small,   grid_is_possible,
};

static bool ask(ckt_rule *const *rules, size_t count, const struct ckt_rule_case *judged) {
  judged->reason[0] = '\0';
  for (size_t i = 0; i < count; i++)
    if (!rules[i](judged))
      return false;
  return true;
}

bool ckt_buildable(const struct ckt_instance *instance, const struct ckt_arch *arch,
                   char reason[CKT_REASON_MAX]) {
  const struct ckt_rule_case judged = {instance, NULL, arch, reason};
  return ask(kernel_rules, COUNT(kernel_rules), &judged) &&
         ckt_hardware_broken(instance, arch, reason) == NULL;
}

bool ckt_applicable(const struct ckt_instance *instance, const struct ckt_problem *problem,
                    const struct ckt_arch *arch, char reason[CKT_REASON_MAX]) {
  const struct ckt_rule_case judged = {instance, problem, arch, reason};
  return ckt_buildable(instance, arch, reason) && ask(problem_rules, COUNT(problem_rules), &judged);
}
