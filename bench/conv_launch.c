#include "bench/conv_launch.h"

#include <stdbool.h>
#include <string.h>

#include "common/number.h"

/* Tensors stay below 2 GiB, so that an offset with its top bit set is outside every one of them (kernels/buffer.hpp);
 * the same bound serves the quantities that the kernels divide (struct ckt_magic) and add up. */
static const int64_t offset_limit = INT64_C(1) << 31;

/* Extents and filter positions are added up in 31 bits together with a marker at 2^30 (kernels/input_gather.hpp). */
static const int64_t position_limit = INT64_C(1) << 30;

/* What the hardware's dispatch packet holds: 32 bits of work-items along x, 16 bits of workgroups along y in HIP. */
static const int64_t grid_x_limit = INT64_C(1) << 32;
static const int64_t grid_y_limit = INT64_C(65535);

static int refuse(struct ckt_error *error, const char *what, int64_t value, int64_t limit) {
  return ckt_fail(error, CKT_E_UNSUPPORTED,
                  "%s is %lld, but the kernels work with less than %lld: split the problem along N or G",
                  what, (long long)value, (long long)limit);
}

static int below(const char *what, int64_t value, int64_t limit, struct ckt_error *error) {
  return value < 0 || value >= limit ? refuse(error, what, value, limit) : CKT_OK;
}

/* The product of count factors, refused at the limit: no factor is above it, so nothing overflows 64 bits. */
static int product_below(const char *what, const int64_t *factors, size_t count, int64_t limit,
                         int64_t *product, struct ckt_error *error) {
  int64_t value = 1;
  for (size_t i = 0; i < count; ++i) {
    if (!ckt_mul_i64(value, factors[i], &value))
      return ckt_fail(
          error, CKT_E_UNSUPPORTED,
          "%s does not fit 63 bits, but the kernels work with less than %lld: split the problem along N",
          what, (long long)limit);
  }
  CKT_TRY(below(what, value, limit, error));
  *product = value;
  return CKT_OK;
}

/* With l = ceil(log2 d) and m = floor(2^32 * (2^l - d) / d) + 1, (mulhi(n, m) + n) >> l is n / d for every 32-bit n
 * (Granlund and Montgomery, figure 4.1); below 2^31 the sum needs no 33rd bit. */
struct ckt_magic ckt_magic_make(uint32_t divisor) {
  struct ckt_magic magic = {.divisor = divisor};
  while ((UINT64_C(1) << magic.shift) < divisor)
    ++magic.shift;
  const uint64_t excess = (UINT64_C(1) << magic.shift) - divisor;
  magic.multiplier = (uint32_t)((excess << 32) / divisor + 1);
  return magic;
}

static struct ckt_magic magic_of(int64_t divisor) {
  return ckt_magic_make((uint32_t)divisor);
}

/* Sizes and strides of the three tensors, in bytes. */
static int plan_tensors(const struct ckt_problem *problem, struct ckt_conv_args *args,
                        struct ckt_error *error) {
  const int64_t bytes = ckt_dtype_bytes(problem->dtype);
  int64_t out[CKT_AXES], total = 0;
  ckt_problem_output(problem, out);
  const int64_t taps = problem->filter[CKT_DEPTH] * problem->filter[CKT_HEIGHT] * problem->filter[CKT_WIDTH];

  const int64_t in_factors[] = {bytes,
                                problem->c,
                                problem->g,
                                problem->in[CKT_WIDTH],
                                problem->in[CKT_HEIGHT],
                                problem->in[CKT_DEPTH],
                                problem->n};
  CKT_TRY(product_below("the input's size in bytes", in_factors, 7, offset_limit, &total, error));
  const int64_t pixel = bytes * problem->c * problem->g;
  args->in_tensor =
      (struct ckt_conv_tensor){(uint32_t)total, (uint32_t)(bytes * problem->c), (uint32_t)pixel};
  args->in_stride[CKT_WIDTH] = (int32_t)pixel;
  args->in_stride[CKT_HEIGHT] = (int32_t)(pixel * problem->in[CKT_WIDTH]);
  args->in_stride[CKT_DEPTH] = (int32_t)(pixel * problem->in[CKT_WIDTH] * problem->in[CKT_HEIGHT]);
  args->in_batch = (uint32_t)(total / problem->n);

  const int64_t wei_factors[] = {bytes, problem->c, taps, problem->k, problem->g};
  CKT_TRY(product_below("the weight's size in bytes", wei_factors, 5, offset_limit, &total, error));
  args->wei_tensor = (struct ckt_conv_tensor){(uint32_t)total, (uint32_t)(total / problem->g),
                                              (uint32_t)(bytes * problem->c * taps)};

  const int64_t out_factors[] = {bytes,           problem->k,     problem->g, out[CKT_WIDTH],
                                 out[CKT_HEIGHT], out[CKT_DEPTH], problem->n};
  CKT_TRY(product_below("the output's size in bytes", out_factors, 7, offset_limit, &total, error));
  args->out_tensor = (struct ckt_conv_tensor){(uint32_t)total, (uint32_t)(bytes * problem->k),
                                              (uint32_t)(bytes * problem->k * problem->g)};
  return CKT_OK;
}

/* A filter of one tap has no distance between taps. */
static int64_t tap_distance(const struct ckt_problem *problem, int axis) {
  return problem->filter[axis] == 1 ? 1 : problem->dilation[axis];
}

/* The farthest position a kernel forms: beyond the padded input, by a dilated filter whose position runs past its end
 * by at most one tile of K. INT64_MAX when it does not fit. */
static int64_t farthest(const struct ckt_problem *problem, int axis, int64_t tile_k) {
  int64_t padded, taps, reach;
  if (ckt_add_i64(problem->in[axis], problem->pad_left[axis], &padded) &&
      ckt_add_i64(padded, problem->pad_right[axis], &padded) &&
      ckt_add_i64(problem->filter[axis], tile_k, &taps) &&
      ckt_mul_i64(taps, tap_distance(problem, axis), &reach) && ckt_add_i64(padded, reach, &reach))
    return reach;
  return INT64_MAX;
}

/* Extents, strides and pads along the axes. */
static int plan_axes(const struct ckt_problem *problem, int64_t tile_k, struct ckt_conv_args *args,
                     struct ckt_error *error) {
  for (int axis = 0; axis < CKT_AXES; ++axis) {
    CKT_TRY(below("a padded input extent with its dilated filter and a tile", farthest(problem, axis, tile_k),
                  position_limit, error));
    CKT_TRY(below("a stride", problem->stride[axis], position_limit, error));
    args->in_extent[axis] = (int32_t)problem->in[axis];
    args->stride[axis] = (int32_t)problem->stride[axis];
    args->pad[axis] = (int32_t)problem->pad_left[axis];
    args->walk.dilation[axis] = (int32_t)tap_distance(problem, axis);
    args->walk.filter[axis] = (int32_t)problem->filter[axis];
  }
  int64_t out[CKT_AXES];
  ckt_problem_output(problem, out);
  args->out_d = magic_of(out[CKT_DEPTH]);
  args->out_h = magic_of(out[CKT_HEIGHT]);
  args->out_w = magic_of(out[CKT_WIDTH]);
  return CKT_OK;
}

/* How one tile_k is walked, see struct ckt_conv_walk. Offsets are sums modulo 2^32 in the kernels, right again at every
 * tap that lies inside the input, so that corrections may be cut to 32 bits. */
static void plan_walk(const struct ckt_problem *problem, int64_t tile_k, struct ckt_conv_args *args) {
  struct ckt_conv_walk *walk = &args->walk;
  const int64_t bytes = ckt_dtype_bytes(problem->dtype);
  int64_t rest = tile_k / problem->c;
  walk->step_c = (int32_t)(tile_k % problem->c);
  walk->step_tap[CKT_WIDTH] = (int32_t)(rest % problem->filter[CKT_WIDTH]);
  rest /= problem->filter[CKT_WIDTH];
  if (problem->spatial == 3) {
    walk->step_tap[CKT_HEIGHT] = (int32_t)(rest % problem->filter[CKT_HEIGHT]);
    walk->step_tap[CKT_DEPTH] = (int32_t)(rest / problem->filter[CKT_HEIGHT]);
  } else {
    walk->step_tap[CKT_HEIGHT] = (int32_t)rest;
  }

  /* Bytes from one tap to the next along each axis: below 2^31 * 2^30, a sum of three fits. */
  int64_t tap[CKT_AXES];
  for (int axis = 0; axis < CKT_AXES; ++axis)
    tap[axis] = (int64_t)args->in_stride[axis] * args->walk.dilation[axis];

  uint64_t step = (uint64_t)(walk->step_c * bytes);
  for (int axis = 0; axis < CKT_AXES; ++axis)
    step += (uint64_t)walk->step_tap[axis] * (uint64_t)tap[axis];
  walk->step_bytes = (int32_t)(uint32_t)step;
  walk->carry_bytes[CKT_WIDTH] =
      (int32_t)(uint32_t)((uint64_t)tap[CKT_WIDTH] - (uint64_t)(problem->c * bytes));
  for (int axis = CKT_HEIGHT; axis >= CKT_DEPTH; --axis)
    walk->carry_bytes[axis] = (int32_t)(uint32_t)((uint64_t)tap[axis] - (uint64_t)problem->filter[axis + 1] *
                                                                            (uint64_t)tap[axis + 1]);

  walk->c = magic_of(problem->c);
  walk->x = magic_of(problem->filter[CKT_WIDTH]);
  walk->y = magic_of(problem->filter[CKT_HEIGHT]);
}

/* The GEMM and its tiles. Indices run up to a whole tile beyond the GEMM. */
static int plan_grid(const struct ckt_instance *instance, const struct ckt_problem *problem,
                     struct ckt_conv_launch *launch, struct ckt_error *error) {
  struct ckt_conv_args *args = &launch->args;
  int64_t out[CKT_AXES];
  ckt_problem_output(problem, out);
  const int64_t gemm_m =
      problem->n * out[CKT_DEPTH] * out[CKT_HEIGHT] * out[CKT_WIDTH]; /* < 2^31: output bytes */
  const int64_t gemm_k = args->wei_tensor.row / ckt_dtype_bytes(problem->dtype);
  CKT_TRY(below("the GEMM's M with a tile", gemm_m + instance->tile[CKT_M], offset_limit, error));
  CKT_TRY(below("the GEMM's N with a tile", problem->k + instance->tile[CKT_N], offset_limit, error));
  CKT_TRY(below("the GEMM's K with a tile", gemm_k + instance->tile[CKT_K], offset_limit, error));
  args->gemm_m = (uint32_t)gemm_m;
  args->gemm_n = (uint32_t)problem->k;
  args->gemm_k = (uint32_t)gemm_k;
  args->channels = (int32_t)problem->c;

  const int64_t tiles_n = ckt_ceil_div_i64(problem->k, instance->tile[CKT_N]);
  const int64_t tiles =
      ckt_ceil_div_i64(gemm_m, instance->tile[CKT_M]) * tiles_n; /* each factor below 2^31 */
  CKT_TRY(below("the number of workgroups along x", tiles, offset_limit, error));
  CKT_TRY(below("the number of work-items along x", tiles * instance->block_size, grid_x_limit, error));
  CKT_TRY(below("the number of groups", problem->g, grid_y_limit + 1, error));
  args->tiles_n = magic_of(tiles_n);
  args->k_steps = (uint32_t)ckt_ceil_div_i64(gemm_k, instance->tile[CKT_K]);
  launch->grid[0] = (uint32_t)tiles;
  launch->grid[1] = (uint32_t)problem->g;
  launch->grid[2] = 1;
  launch->block[0] = (uint32_t)instance->block_size;
  launch->block[1] = launch->block[2] = 1;
  return CKT_OK;
}

/* Tile extents come from a list that anybody may write: bounded before they are added and multiplied. */
static int check_instance(const struct ckt_instance *instance, struct ckt_error *error) {
  for (int dim = 0; dim < CKT_GEMM_DIMS; ++dim)
    if (instance->tile[dim] < 1 || instance->tile[dim] > 65536)
      return ckt_fail(error, CKT_E_UNSUPPORTED, "a tile extent is %lld, expected 1 to 65536",
                      (long long)instance->tile[dim]);
  if (instance->block_size < 1 || instance->block_size > 1024)
    return ckt_fail(error, CKT_E_UNSUPPORTED, "the workgroup has %lld threads, expected 1 to 1024",
                    (long long)instance->block_size);
  return CKT_OK;
}

int ckt_conv_launch_plan(const struct ckt_instance *instance, const struct ckt_problem *problem,
                         struct ckt_conv_launch *launch, struct ckt_error *error) {
  if (problem->direction != CKT_FORWARD)
    return ckt_fail(error, CKT_E_UNSUPPORTED, "direction %s has no kernel, expected forward",
                    ckt_direction_word(problem->direction));
  memset(launch, 0, sizeof *launch);
  CKT_TRY(ckt_problem_check(problem, error));
  CKT_TRY(check_instance(instance, error));
  CKT_TRY(plan_tensors(problem, &launch->args, error));
  CKT_TRY(plan_axes(problem, instance->tile[CKT_K], &launch->args, error));
  plan_walk(problem, instance->tile[CKT_K], &launch->args);
  return plan_grid(instance, problem, launch, error);
}
