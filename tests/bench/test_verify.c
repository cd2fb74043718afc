/* Exercises bench/verify. Right kernels pass: fp32 sums of several problems in several orders (forward, pairwise,
 * blocks of 8 and of 4 truncated to fp32), rounded to the dtype. Wrong ones do not: partial
 * sums kept in fp16 or bf16, the last 16 channels wrong, one tap left out, one NaN, one infinity, nothing
 * written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/dtype.h"
#include "bench/verify.h"

/* A way to sum products; `values` may be overwritten. */
typedef float sum_function(float *values, int64_t count);

static float sum_forward(float *values, int64_t count) {
  float sum = 0;
  for (int64_t i = 0; i < count; i++)
    sum += values[i];
  return sum;
}

static float sum_pairwise(float *values, int64_t count) {
  if (count <= 2)
    return sum_forward(values, count);
  return sum_pairwise(values, count / 2) + sum_pairwise(values + count / 2, count - count / 2);
}

/* The double as a float whose excess bits are cut off. */
static float truncated(double value) {
  float rounded = (float)value;
  if (fabs((double)rounded) > fabs(value))
    rounded = nextafterf(rounded, 0.0f);
  return rounded;
}

/* Matrix hardware that adds blocks to the accumulator and cuts. */
static float sum_blocks_truncated(float *values, int64_t count, int64_t block) {
  float sum = 0;
  for (int64_t i = 0; i < count; i += block) {
    double exact = (double)sum;
    for (int64_t j = i; j < count && j < i + block; j++)
      exact += (double)values[j];
    sum = truncated(exact);
  }
  return sum;
}

static float sum_blocks_of_8(float *values, int64_t count) {
  return sum_blocks_truncated(values, count, 8);
}

static float sum_blocks_of_4(float *values, int64_t count) {
  return sum_blocks_truncated(values, count, 4);
}

static float sum_backward(float *values, int64_t count) {
  float sum = 0;
  for (int64_t i = count; i-- > 0;)
    sum += values[i];
  return sum;
}

/* Partial sums in the 16-bit type after every 32 products, as a kernel that accumulates in it would. */
static float sum_rounded(float *values, int64_t count, enum ckt_dtype dtype) {
  float sum = 0;
  for (int64_t i = 0; i < count; i++) {
    sum += values[i];
    if (i % 32 == 31) {
      uint16_t bits;
      ckt_dtype_encode(dtype, &sum, 0, 1, &bits);
      ckt_dtype_decode(dtype, &bits, 0, 1, &sum);
    }
  }
  return sum;
}

static float sum_in_fp16(float *values, int64_t count) {
  return sum_rounded(values, count, CKT_FP16);
}

static float sum_in_bf16(float *values, int64_t count) {
  return sum_rounded(values, count, CKT_BF16);
}

static float sum_but_last(float *values, int64_t count) {
  return sum_forward(values, count - 1);
}

/* A problem with its answer, and an output computed by some kernel. */
struct fixture {
  struct ckt_reference reference;
  float *in, *wei;
  void *out;
  size_t out_bytes;
};

static void setup(struct fixture *f, const char *key) {
  const struct ckt_problem_defaults defaults = {CKT_FORWARD, CKT_FP16, 2};
  struct ckt_problem p;
  struct ckt_error error = {0};
  if (ckt_problem_parse(key, &defaults, &p, &error) != CKT_OK ||
      ckt_reference_create(&p, CKT_INIT_NORMAL, 11, 2, &f->reference, &error) != CKT_OK)
    fail_msg("%s: %s", key, error.text);
  const int64_t in = ckt_problem_input_elements(&p);
  const int64_t wei = ckt_problem_weight_elements(&p);
  f->in = malloc((size_t)in * sizeof *f->in);
  f->wei = malloc((size_t)wei * sizeof *f->wei);
  f->out_bytes = (size_t)(f->reference.out_elements * ckt_dtype_bytes(p.dtype));
  f->out = malloc(f->out_bytes);
  assert_true(f->in != NULL && f->wei != NULL && f->out != NULL);
  memset(f->out, 0xff, f->out_bytes);
  ckt_dtype_decode(p.dtype, f->reference.in, 0, in, f->in);
  ckt_dtype_decode(p.dtype, f->reference.wei, 0, wei, f->wei);
}

static void teardown(struct fixture *f) {
  ckt_reference_free(&f->reference);
  free(f->in);
  free(f->wei);
  free(f->out);
}

/* The products of one output element of a 2D problem of one group, rounded to fp32; padding gives zeros, as in a
 * real kernel. */
static int64_t products_of(const struct fixture *f, int64_t at, float *products) {
  const struct ckt_problem *p = &f->reference.problem;
  int64_t out[CKT_AXES];
  ckt_problem_output(p, out);
  const int64_t k = at % p->k;
  const int64_t w = at / p->k % out[2];
  const int64_t h = at / p->k / out[2] % out[1];
  const int64_t n = at / p->k / out[2] / out[1];
  int64_t count = 0;
  for (int64_t y = 0; y < p->filter[1]; y++)
    for (int64_t x = 0; x < p->filter[2]; x++)
      for (int64_t c = 0; c < p->c; c++) {
        const int64_t hi = h * p->stride[1] + y - p->pad_left[1];
        const int64_t wi = w * p->stride[2] + x - p->pad_left[2];
        const bool inside = hi >= 0 && hi < p->in[1] && wi >= 0 && wi < p->in[2];
        const float a = inside ? f->in[((n * p->in[1] + hi) * p->in[2] + wi) * p->c + c] : 0.0f;
        products[count++] = a * f->wei[((k * p->filter[1] + y) * p->filter[2] + x) * p->c + c];
      }
  return count;
}

static void compute(struct fixture *f, sum_function *sum) {
  float *products = malloc((size_t)f->reference.max_terms * sizeof *products);
  assert_non_null(products);
  for (int64_t at = 0; at < f->reference.out_elements; at++) {
    const float value = sum(products, products_of(f, at, products));
    ckt_dtype_encode(f->reference.problem.dtype, &value, at, 1, f->out);
  }
  free(products);
}

static struct ckt_verdict verify(const struct fixture *f) {
  struct ckt_verdict verdict;
  ckt_verify(&f->reference, f->out, &verdict);
  return verdict;
}

#define TAIL "-s1x1-d1x1-pl1x1-pr1x1"

static const char *const shapes[] = {
    "nhwgc-g1-n1-k32-c64-in7x7-fil3x3" TAIL,
    "nhwgc-g1-n1-k8-c512-in4x4-fil3x3" TAIL,
    "nhwgc-g1-n2-k7-c5-in6x5-fil3x3" TAIL,
    "nhwgc-g1-n1-k64-c1-in20x20-fil1x1-s1x1-d1x1-pl0x0-pr0x0", /* one product: results near zero */
    "nhwgc-g1-n1-k64-c1-in20x20-fil1x1-s1x1-d1x1-pl2x2-pr2x2", /* and outputs without any */
    "nhwgc-g1-n1-k16-c3-in16x16-fil7x7-s2x2-d1x1-pl3x3-pr3x3",
};

static void test_right_kernels_pass(void **state) {
  (void)state;
  static sum_function *const sums[] = {sum_forward, sum_backward, sum_pairwise, sum_blocks_of_8,
                                       sum_blocks_of_4};
  static const char *const dtypes[] = {"fp32", "fp16", "bf16"};
  for (size_t d = 0; d < 3; d++)
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
      char key[CKT_PROBLEM_KEY_MAX];
      struct fixture f;
      snprintf(key, sizeof key, "fwd-%s-%s", dtypes[d], shapes[s]);
      setup(&f, key);
      for (size_t i = 0; i < sizeof sums / sizeof *sums; i++) {
        compute(&f, sums[i]);
        const struct ckt_verdict v = verify(&f);
        if (v.wrong_elements != 0 || v.error_ratio > 1 || v.error_ratio < 0)
          fail_msg("%s, order %zu: %g times the tolerance", key, i, v.error_ratio);
      }
      teardown(&f);
    }
}

static void assert_caught(const char *key, sum_function *sum, double share) {
  struct fixture f;
  setup(&f, key);
  compute(&f, sum);
  const struct ckt_verdict v = verify(&f);
  if (v.error_ratio <= 1 || (double)v.wrong_elements < share * (double)f.reference.out_elements)
    fail_msg("%s: %lld wrong, worst %g", key, (long long)v.wrong_elements, v.error_ratio);
  teardown(&f);
}

static void test_sixteen_bit_sums_are_caught(void **state) {
  (void)state;
  assert_caught("fwd-fp32-nhwgc-g1-n1-k32-c64-in7x7-fil3x3" TAIL, sum_in_fp16, 0.5);
  assert_caught("fwd-fp32-nhwgc-g1-n1-k32-c64-in7x7-fil3x3" TAIL, sum_in_bf16, 0.9);
  assert_caught("fwd-fp16-nhwgc-g1-n1-k32-c64-in7x7-fil3x3" TAIL, sum_in_fp16, 0.2);
  assert_caught("fwd-bf16-nhwgc-g1-n1-k32-c64-in7x7-fil3x3" TAIL, sum_in_bf16, 0.2);
  assert_caught("fwd-fp16-nhwgc-g1-n1-k8-c512-in4x4-fil3x3" TAIL, sum_in_fp16, 0.2);
  assert_caught("fwd-bf16-nhwgc-g1-n1-k8-c512-in4x4-fil3x3" TAIL, sum_in_bf16, 0.2);
}

static void test_missing_product_is_caught(void **state) {
  (void)state;
  assert_caught("fwd-fp32-nhwgc-g1-n1-k32-c64-in7x7-fil3x3-s1x1-d1x1-pl0x0-pr0x0", sum_but_last, 0.9);
  assert_caught("fwd-fp16-nhwgc-g1-n1-k32-c64-in7x7-fil3x3-s1x1-d1x1-pl0x0-pr0x0", sum_but_last, 0.8);
}

static void test_last_channels_are_caught(void **state) {
  (void)state;
  struct fixture f;
  setup(&f, "fwd-fp16-nhwgc-g1-n1-k32-c64-in7x7-fil3x3" TAIL);
  compute(&f, sum_forward);
  assert_int_equal(verify(&f).wrong_elements, 0);
  uint16_t *out = f.out;
  for (int64_t at = 0; at < f.reference.out_elements; at++)
    if (at % 32 >= 16)
      out[at] = 0;
  const struct ckt_verdict v = verify(&f);
  assert_true(v.wrong_elements > f.reference.out_elements / 2 * 9 / 10);
  assert_true(v.wrong_elements <= f.reference.out_elements / 2);
  assert_true(v.worst_index % 32 >= 16 && v.worst_out == 0);
  assert_true(v.worst_ref == f.reference.out[v.worst_index]);
  teardown(&f);
}

static void test_one_bad_number_is_caught(void **state) {
  (void)state;
  static const uint16_t bad[] = {0x7e00, 0xffff, 0x7c00, 0xfc00};
  struct fixture f;
  setup(&f, "fwd-fp16-nhwgc-g1-n1-k32-c64-in7x7-fil3x3" TAIL);
  compute(&f, sum_forward);
  uint16_t *out = f.out;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    const int64_t at = f.reference.out_elements - 1 - 17 * (int64_t)i;
    const uint16_t right = out[at];
    out[at] = bad[i];
    const struct ckt_verdict v = verify(&f);
    assert_int_equal(v.wrong_elements, 1);
    assert_int_equal(v.worst_index, at);
    assert_true(isinf(v.error_ratio));
    out[at] = right;
  }
  teardown(&f);
}

static void test_nothing_written_is_caught(void **state) {
  (void)state;
  static const char *const dtypes[] = {"fp32", "fp16", "bf16"};
  for (size_t d = 0; d < 3; d++) {
    char key[CKT_PROBLEM_KEY_MAX];
    struct fixture f;
    snprintf(key, sizeof key, "fwd-%s-%s", dtypes[d], shapes[4]);
    setup(&f, key);
    assert_int_equal(verify(&f).wrong_elements, f.reference.out_elements);
    teardown(&f);
  }
}

/* The formula, by figures worked out by hand. */
static void test_tolerance(void **state) {
  (void)state;
  assert_true(ckt_tolerance(CKT_FP16, 0, 0, 1.0) == 0x1p-11);
  assert_true(ckt_tolerance(CKT_BF16, 0, 0, -2.0) == 0x1p-7);
  assert_true(ckt_tolerance(CKT_FP32, 0, 0, 4.0) == 0x1p-21);
  assert_true(ckt_tolerance(CKT_FP32, 16, 3.0, 1.0) == 0x1p-23 + 0x1p-24 * (8 * 4 + 4) * 3.0);
  assert_true(ckt_tolerance(CKT_FP32, 16, 3.0, 5.0) == 5 * 0x1p-23 + 0x1p-24 * (8 * 4 + 4) * 5.0);
  assert_true(ckt_tolerance(CKT_FP16, 0, 0, 0) == 0x1p-25);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_right_kernels_pass),
      cmocka_unit_test(test_sixteen_bit_sums_are_caught),
      cmocka_unit_test(test_missing_product_is_caught),
      cmocka_unit_test(test_last_channels_are_caught),
      cmocka_unit_test(test_one_bad_number_is_caught),
      cmocka_unit_test(test_nothing_written_is_caught),
      cmocka_unit_test(test_tolerance),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
