/* Exercises: magic numbers against real division; the launch of a convolution: grid, GEMM, strides and the walk along
 * K, held against index arithmetic written anew; refusals of what does not fit 31 bits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "bench/conv_launch.h"

/* As kernels/magic.hpp does it, in 32 bits. */
static uint32_t magic_divide(uint32_t n, struct ckt_magic magic) {
  const uint32_t high = (uint32_t)((uint64_t)n * magic.multiplier >> 32);
  return (high + n) >> magic.shift;
}

static void check_divisor(uint32_t divisor) {
  const struct ckt_magic magic = ckt_magic_make(divisor);
  assert_int_equal(magic.divisor, divisor);
  assert_true(magic.shift < 32);
  const uint32_t last = (UINT32_C(1) << 31) - 1, multiple = last / divisor * divisor;
  const uint32_t numbers[] = {
      0,        1,        2,   divisor - 1, divisor, divisor + 1, multiple - 1, multiple, multiple + 1,
      last / 2, last - 1, last};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    if (numbers[i] <= last)
      assert_int_equal(magic_divide(numbers[i], magic), numbers[i] / divisor);
  for (uint64_t n = 1; n <= last; n = n * 5 / 3 + 1)
    assert_int_equal(magic_divide((uint32_t)n, magic), (uint32_t)n / divisor);
}

static void magic_numbers_divide(void **state) {
  (void)state;
  for (uint32_t divisor = 1; divisor <= 3000; divisor++)
    check_divisor(divisor);
  for (uint32_t shift = 2; shift < 31; shift++)
    for (uint32_t delta = 0; delta < 3; delta++)
      check_divisor((UINT32_C(1) << shift) + delta - 1);
  check_divisor((UINT32_C(1) << 31) - 1);
}

static struct ckt_problem parse(const char *spec) {
  const struct ckt_problem_defaults defaults = {CKT_FORWARD, CKT_FP16, 2};
  struct ckt_problem problem;
  struct ckt_error error = {0};
  if (ckt_problem_parse(spec, &defaults, &problem, &error) != CKT_OK)
    fail_msg("%s", error.text);
  return problem;
}

static struct ckt_instance tile(int64_t m, int64_t n, int64_t k) {
  return (struct ckt_instance){.direction = CKT_FORWARD, .spatial = 2, .tile = {m, n, k}, .block_size = 256};
}

static struct ckt_conv_launch plan(const struct ckt_instance *instance, const struct ckt_problem *problem) {
  struct ckt_conv_launch launch;
  struct ckt_error error = {0};
  if (ckt_conv_launch_plan(instance, problem, &launch, &error) != CKT_OK)
    fail_msg("%s", error.text);
  return launch;
}

/* 2 images of 14 x 12, 3 groups of 8 channels in and 20 out, filter 3 x 5. */
static void grid_and_sizes(void **state) {
  (void)state;
  const struct ckt_problem problem =
      parse("n=2,c=24,k=60,hi=14,wi=12,y=3,x=5,sy=2,sx=1,lpy=1,lpx=2,rpy=0,rpx=2,g=3");
  const struct ckt_instance instance = tile(32, 16, 64);
  const struct ckt_conv_launch launch = plan(&instance, &problem);
  const struct ckt_conv_args *args = &launch.args;
  /* Ho = (14 + 1 - 3) / 2 + 1 = 7, Wo = 12: M = 2 * 7 * 12 = 168, N = 20, K = 3 * 5 * 8 = 120 */
  assert_int_equal(args->gemm_m, 168);
  assert_int_equal(args->gemm_n, 20);
  assert_int_equal(args->gemm_k, 120);
  assert_int_equal(args->k_steps, 2);
  assert_int_equal(args->tiles_n.divisor, 2);
  assert_int_equal(launch.grid[0], 6 * 2);
  assert_int_equal(launch.grid[1], 3);
  assert_int_equal(launch.grid[2], 1);
  assert_int_equal(launch.block[0], 256);
  assert_int_equal(launch.block[1], 1);
  assert_int_equal(args->out_h.divisor, 7);
  assert_int_equal(args->out_w.divisor, 12);
  assert_int_equal(args->in_tensor.bytes, 2 * 14 * 12 * 24 * 2);
  assert_int_equal(args->in_tensor.group, 8 * 2);
  assert_int_equal(args->in_tensor.row, 24 * 2);
  assert_int_equal(args->in_batch, 14 * 12 * 24 * 2);
  assert_int_equal(args->in_stride[CKT_HEIGHT], 12 * 24 * 2);
  assert_int_equal(args->in_stride[CKT_WIDTH], 24 * 2);
  assert_int_equal(args->wei_tensor.bytes, 3 * 20 * 3 * 5 * 8 * 2);
  assert_int_equal(args->wei_tensor.group, 20 * 3 * 5 * 8 * 2);
  assert_int_equal(args->wei_tensor.row, 3 * 5 * 8 * 2);
  assert_int_equal(args->out_tensor.bytes, 168 * 60 * 2);
  assert_int_equal(args->out_tensor.group, 20 * 2);
  assert_int_equal(args->out_tensor.row, 60 * 2);
  assert_int_equal(args->pad[CKT_HEIGHT], 1);
  assert_int_equal(args->pad[CKT_WIDTH], 2);
}

/* Position and offset of one k, by division. */
struct position {
  int64_t c, x, y;
  uint32_t offset;
};

static struct position position_of(const struct ckt_problem *problem, int64_t k) {
  struct position at = {.c = k % problem->c};
  const int64_t tap = k / problem->c, pixel = problem->g * problem->c * ckt_dtype_bytes(problem->dtype);
  at.x = tap % problem->filter[CKT_WIDTH];
  at.y = tap / problem->filter[CKT_WIDTH];
  at.offset =
      (uint32_t)(at.y * problem->dilation[CKT_HEIGHT] * problem->in[CKT_WIDTH] * pixel +
                 at.x * problem->dilation[CKT_WIDTH] * pixel + at.c * ckt_dtype_bytes(problem->dtype));
  return at;
}

/* One step of kernels/input_gather.hpp. */
static void step(const struct ckt_conv_args *args, struct position *at) {
  const struct ckt_conv_walk *walk = &args->walk;
  at->c += walk->step_c;
  at->offset += (uint32_t)walk->step_bytes;
  at->x += walk->step_tap[CKT_WIDTH];
  at->y += walk->step_tap[CKT_HEIGHT];
  if (at->c >= args->channels) {
    at->c -= args->channels;
    at->x++;
    at->offset += (uint32_t)walk->carry_bytes[CKT_WIDTH];
  }
  if (at->x >= walk->filter[CKT_WIDTH]) {
    at->x -= walk->filter[CKT_WIDTH];
    at->y++;
    at->offset += (uint32_t)walk->carry_bytes[CKT_HEIGHT];
  }
}

static void check_walk(const char *spec, int64_t tile_k) {
  const struct ckt_problem problem = parse(spec);
  const struct ckt_instance instance = tile(64, 64, tile_k);
  const struct ckt_conv_launch launch = plan(&instance, &problem);
  for (int64_t first = 0; first < tile_k; first++) {
    struct position at = position_of(&problem, first);
    for (int64_t k = first; k < launch.args.gemm_k; k += tile_k) {
      const struct position expected = position_of(&problem, k);
      assert_int_equal(at.c, expected.c);
      assert_int_equal(at.x, expected.x);
      assert_int_equal(at.y, expected.y);
      assert_int_equal(at.offset, expected.offset);
      step(&launch.args, &at);
    }
  }
}

static void walk_along_k(void **state) {
  (void)state;
  static const char *const specs[] = {
      "1,64,64,14,14,3,3,1,1,1,1",
      "1,5,7,14,14,3,3,1,1,1,1",
      "1,3,8,30,31,7,7,2,2,3,3",
      "1,1,8,30,31,7,5,1,1,0,0",
      "1,48,8,20,31,3,2,1,1,0,0,2,3",
      "1,24,8,20,31,1,4,1,1,0,0,1,2,4",
      "1,96,8,9,9,1,1",
  };
  for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
    for (int64_t tile_k = 4; tile_k <= 128; tile_k *= 2)
      check_walk(specs[i], tile_k);
}

static void refuses(const char *spec, const char *word) {
  const struct ckt_problem problem = parse(spec);
  const struct ckt_instance instance = tile(64, 64, 32);
  struct ckt_conv_launch launch;
  struct ckt_error error = {0};
  assert_int_equal(ckt_conv_launch_plan(&instance, &problem, &launch, &error), CKT_E_UNSUPPORTED);
  if (strstr(error.text, word) == NULL)
    fail_msg("'%s' does not name '%s'", error.text, word);
}

static void what_does_not_fit_is_named(void **state) {
  (void)state;
  refuses("1024,1024,8,32,32,1,1", "input's size");
  refuses("1,65536,65536,2,2,1,1", "weight's size");
  refuses("1024,8,1024,32,32,1,1", "output's size");
  refuses("1,65536,65536,1,1,1,1,1,1,0,0,1,1,65536", "number of groups");
  refuses("1,1,1,1,1000000000,1,999999999,1,1,0,50000000", "padded input extent");
}

static void the_largest_tensors_fit(void **state) {
  (void)state;
  const struct ckt_problem problem = parse("1023,1024,8,32,32,1,1");
  const struct ckt_instance instance = tile(64, 64, 32);
  const struct ckt_conv_launch launch = plan(&instance, &problem);
  assert_int_equal(launch.args.in_tensor.bytes, UINT32_C(1023) * 1024 * 32 * 32 * 2);
  assert_int_equal(launch.args.gemm_m, 1023 * 32 * 32);
}

static void odd_instances_are_refused(void **state) {
  (void)state;
  const struct ckt_problem problem = parse("1,64,64,14,14,3,3");
  struct ckt_conv_launch launch;
  struct ckt_error error = {0};
  struct ckt_instance instance = tile(64, 0, 32);
  assert_int_equal(ckt_conv_launch_plan(&instance, &problem, &launch, &error), CKT_E_UNSUPPORTED);
  instance = tile(INT64_MAX, 64, 32);
  assert_int_equal(ckt_conv_launch_plan(&instance, &problem, &launch, &error), CKT_E_UNSUPPORTED);
  instance = tile(64, 64, 32);
  instance.block_size = 2048;
  assert_int_equal(ckt_conv_launch_plan(&instance, &problem, &launch, &error), CKT_E_UNSUPPORTED);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(magic_numbers_divide),
      cmocka_unit_test(grid_and_sizes),
      cmocka_unit_test(walk_along_k),
      cmocka_unit_test(what_does_not_fit_is_named),
      cmocka_unit_test(the_largest_tensors_fit),
      cmocka_unit_test(odd_instances_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
