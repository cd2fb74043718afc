/* Exercises bench/reference: sums, magnitudes and terms against a plain loop written independently, over 2D and
 * 3D, groups, strides, dilations and uneven pads; the seeded data (statistics, bits, seeds, whole numbers);
 * independence of the thread count; limits. And bench/dtype: conversions over all 16-bit patterns. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/dtype.h"
#include "bench/reference.h"

static struct ckt_problem parse(const char *key) {
  const struct ckt_problem_defaults defaults = {CKT_FORWARD, CKT_FP16, 2};
  struct ckt_problem problem;
  struct ckt_error error = {0};
  if (ckt_problem_parse(key, &defaults, &problem, &error) != CKT_OK)
    fail_msg("%s: %s", key, error.text);
  return problem;
}

static struct ckt_reference create(const char *key, enum ckt_init init, uint64_t seed, int threads) {
  const struct ckt_problem problem = parse(key);
  struct ckt_reference reference;
  struct ckt_error error = {0};
  if (ckt_reference_create(&problem, init, seed, threads, &reference, &error) != CKT_OK)
    fail_msg("%s: %s", key, error.text);
  return reference;
}

static float *decode(enum ckt_dtype dtype, const void *tensor, int64_t count) {
  float *values = malloc((size_t)count * sizeof *values);
  assert_non_null(values);
  ckt_dtype_decode(dtype, tensor, 0, count, values);
  return values;
}

/* One output element by the definition, with subscripts spelt out. */
struct element {
  double sum, square;
  int64_t terms;
};

static struct element element_of(const struct ckt_problem *p, const float *in, const float *wei, int64_t n,
                                 int64_t d, int64_t h, int64_t w, int64_t g, int64_t k) {
  struct element e = {0, 0, 0};
  for (int64_t z = 0; z < p->filter[CKT_DEPTH]; z++)
    for (int64_t y = 0; y < p->filter[CKT_HEIGHT]; y++)
      for (int64_t x = 0; x < p->filter[CKT_WIDTH]; x++) {
        const int64_t di = d * p->stride[0] + z * p->dilation[0] - p->pad_left[0];
        const int64_t hi = h * p->stride[1] + y * p->dilation[1] - p->pad_left[1];
        const int64_t wi = w * p->stride[2] + x * p->dilation[2] - p->pad_left[2];
        if (di < 0 || di >= p->in[0] || hi < 0 || hi >= p->in[1] || wi < 0 || wi >= p->in[2])
          continue;
        for (int64_t c = 0; c < p->c; c++) {
          const int64_t a = ((((n * p->in[0] + di) * p->in[1] + hi) * p->in[2] + wi) * p->g + g) * p->c + c;
          const int64_t b =
              ((((g * p->k + k) * p->filter[0] + z) * p->filter[1] + y) * p->filter[2] + x) * p->c + c;
          const double product = (double)in[a] * (double)wei[b];
          e.sum += product;
          e.square += product * product;
          e.terms++;
        }
      }
  return e;
}

static void check_element(const struct ckt_reference *r, int64_t at, struct element e) {
  assert_true(fabs(r->out[at] - e.sum) <= 1e-12 * sqrt(e.square));
  const double magnitude = (double)r->magnitude[at];
  assert_true(magnitude >= sqrt(e.square) * (1 - 1e-12) && magnitude <= sqrt(e.square) * (1 + 1e-6));
  assert_int_equal(r->terms != NULL ? r->terms[at] : r->max_terms, e.terms);
}

static void check_against_definition(const char *key) {
  struct ckt_reference r = create(key, CKT_INIT_NORMAL, 7, 2);
  const struct ckt_problem *p = &r.problem;
  float *in = decode(p->dtype, r.in, ckt_problem_input_elements(p));
  float *wei = decode(p->dtype, r.wei, ckt_problem_weight_elements(p));
  int64_t out[CKT_AXES];
  ckt_problem_output(p, out);
  int64_t at = 0;
  for (int64_t n = 0; n < p->n; n++)
    for (int64_t d = 0; d < out[0]; d++)
      for (int64_t h = 0; h < out[1]; h++)
        for (int64_t w = 0; w < out[2]; w++)
          for (int64_t g = 0; g < p->g; g++)
            for (int64_t k = 0; k < p->k; k++)
              check_element(&r, at++, element_of(p, in, wei, n, d, h, w, g, k));
  assert_int_equal(at, r.out_elements);
  free(in);
  free(wei);
  ckt_reference_free(&r);
}

static void test_against_definition(void **state) {
  (void)state;
  static const char *const keys[] = {
      "fwd-fp16-nhwgc-g1-n2-k7-c5-in6x6-fil3x3-s1x1-d1x1-pl1x1-pr1x1",
      "fwd-fp32-nhwgc-g1-n1-k16-c8-in9x7-fil1x1-s1x1-d1x1-pl0x0-pr0x0",
      "fwd-bf16-nhwgc-g1-n1-k9-c4-in9x7-fil1x1-s2x2-d1x1-pl0x0-pr0x0",
      "fwd-fp32-nhwgc-g1-n2-k8-c3-in15x11-fil7x7-s2x2-d1x1-pl3x3-pr3x3",
      "fwd-bf16-nhwgc-g1-n1-k5-c2-in11x12-fil3x3-s1x1-d2x2-pl2x2-pr2x2",
      "fwd-fp16-nhwgc-g1-n1-k3-c2-in6x5-fil3x2-s1x2-d1x1-pl1x1-pr0x0",
      "fwd-fp32-nhwgc-g4-n2-k3-c2-in5x6-fil3x3-s1x1-d1x1-pl1x1-pr1x1",
      "fwd-fp32-nhwgc-g3-n1-k1-c1-in4x4-fil3x3-s1x1-d1x1-pl1x1-pr1x1",
      "fwd-fp16-nhwgc-g1-n1-k20-c3-in3x3-fil3x3-s1x1-d1x1-pl0x0-pr0x0",
      "fwd-fp32-nhwgc-g1-n1-k2-c2-in2x2-fil1x1-s1x1-d1x1-pl2x2-pr2x2", /* outputs that see padding alone */
      "fwd-fp32-ndhwgc-g2-n2-k3-c4-in4x5x6-fil3x3x2-s1x2x1-d1x1x2-pl1x1x0-pr1x0x2",
  };
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    check_against_definition(keys[i]);
}

/* More than one chunk of positions and of fill, so that threads have something to share. */
#define SHARED_KEY "fwd-fp16-nhwgc-g2-n3-k12-c9-in20x17-fil3x3-s1x1-d1x1-pl1x1-pr1x1"

static void test_thread_count_changes_nothing(void **state) {
  (void)state;
  struct ckt_reference one = create(SHARED_KEY, CKT_INIT_NORMAL, 1, 1);
  static const int counts[] = {0, 2, 3, 8};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    struct ckt_reference other = create(SHARED_KEY, CKT_INIT_NORMAL, 1, counts[i]);
    const size_t out = (size_t)one.out_elements;
    assert_memory_equal(one.in, other.in, (size_t)ckt_problem_input_elements(&one.problem) * 2);
    assert_memory_equal(one.wei, other.wei, (size_t)ckt_problem_weight_elements(&one.problem) * 2);
    assert_memory_equal(one.out, other.out, out * sizeof *one.out);
    assert_memory_equal(one.magnitude, other.magnitude, out * sizeof *one.magnitude);
    assert_memory_equal(one.terms, other.terms, out * sizeof *one.terms);
    ckt_reference_free(&other);
  }
  ckt_reference_free(&one);
}

static void test_seed_changes_everything(void **state) {
  (void)state;
  struct ckt_reference a = create(SHARED_KEY, CKT_INIT_NORMAL, 1, 1);
  struct ckt_reference b = create(SHARED_KEY, CKT_INIT_NORMAL, 2, 1);
  const int64_t count = ckt_problem_input_elements(&a.problem);
  int64_t same = 0;
  for (int64_t i = 0; i < count; i++)
    same += ((const uint16_t *)a.in)[i] == ((const uint16_t *)b.in)[i];
  assert_true(same < count / 100);
  ckt_reference_free(&a);
  ckt_reference_free(&b);
}

static void test_normal_numbers_are_normal(void **state) {
  (void)state;
  static const char *const words[] = {"fp32", "fp16", "bf16"};
  for (size_t i = 0; i < 3; i++) {
    char key[CKT_PROBLEM_KEY_MAX];
    snprintf(key, sizeof key, "fwd-%s-nhwgc-g1-n4-k1-c16-in50x50-fil1x1-s1x1-d1x1-pl0x0-pr0x0", words[i]);
    struct ckt_reference r = create(key, CKT_INIT_NORMAL, 3, 2);
    const int64_t count = ckt_problem_input_elements(&r.problem);
    float *values = decode(r.problem.dtype, r.in, count);
    double sum = 0, squares = 0, fourth = 0, neighbours = 0, most = 0;
    for (int64_t j = 0; j < count; j++) {
      const double v = (double)values[j];
      sum += v;
      squares += v * v;
      fourth += v * v * v * v;
      neighbours += j > 0 ? v * (double)values[j - 1] : 0;
      most = fmax(most, fabs(v));
    }
    const double n = (double)count; /* 160000: five standard errors each */
    assert_true(fabs(sum / n) < 5 / sqrt(n));
    assert_true(fabs(squares / n - 1) < 5 * sqrt(2 / n) + 0.002);
    assert_true(fabs(fourth / n - 3) < 5 * sqrt(96 / n) + 0.02);
    assert_true(fabs(neighbours / n) < 5 / sqrt(n));
    assert_true(most > 3.5 && most < 7);
    free(values);
    ckt_reference_free(&r);
  }
}

static void test_whole_numbers(void **state) {
  (void)state;
  struct ckt_reference r = create(SHARED_KEY, CKT_INIT_INTEGER, 5, 2);
  const int64_t count = ckt_problem_input_elements(&r.problem);
  float *values = decode(r.problem.dtype, r.in, count);
  int seen[9] = {0};
  for (int64_t i = 0; i < count; i++) {
    assert_true(values[i] >= -4.0f && values[i] <= 4.0f && values[i] == floorf(values[i]));
    seen[(int)values[i] + 4]++;
  }
  for (int i = 0; i < 9; i++)
    assert_true(seen[i] > count / 18);
  for (int64_t i = 0; i < r.out_elements; i++)
    assert_true(r.out[i] == floor(r.out[i]));
  free(values);
  ckt_reference_free(&r);
}

static void test_limits(void **state) {
  (void)state;
  const struct ckt_problem_defaults defaults = {CKT_FORWARD, CKT_FP16, 2};
  struct ckt_problem problem;
  struct ckt_reference r;
  struct ckt_error error = {0};
  assert_int_equal(ckt_problem_parse("256,1024,1024,64,64,3,3,1,1,1,1", &defaults, &problem, &error), CKT_OK);
  assert_int_equal(ckt_reference_create(&problem, CKT_INIT_NORMAL, 1, 1, &r, &error), CKT_E_DEVICE);
  assert_non_null(strstr(error.text, "multiply-adds"));
  /* little arithmetic, petabytes of tensors */
  assert_int_equal(ckt_problem_parse("1,1,1,40000000,40000000,1,1,40000,40000", &defaults, &problem, &error),
                   CKT_OK);
  assert_int_equal(ckt_reference_create(&problem, CKT_INIT_NORMAL, 1, 1, &r, &error), CKT_E_DEVICE);
  assert_non_null(strstr(error.text, "MiB"));
  problem.direction = CKT_BACKWARD_DATA;
  assert_int_equal(ckt_reference_create(&problem, CKT_INIT_NORMAL, 1, 1, &r, &error), CKT_E_UNSUPPORTED);
}

/* ---- conversions ---- */

/* The value of 16 bits by the definition of the format. */
static double value_of_bits(uint32_t bits, int mantissa_bits, int bias, int exponent_bits) {
  const uint32_t mantissa = bits & ((1u << mantissa_bits) - 1);
  const int exponent = (int)(bits >> mantissa_bits & ((1u << exponent_bits) - 1));
  const double sign = bits >> 15 != 0 ? -1 : 1;
  if (exponent == (1 << exponent_bits) - 1)
    return mantissa != 0 ? NAN : sign * INFINITY;
  if (exponent == 0)
    return sign * ldexp((double)mantissa, 1 - bias - mantissa_bits);
  return sign * ldexp((double)(mantissa + (1u << mantissa_bits)), exponent - bias - mantissa_bits);
}

static void check_all_patterns(enum ckt_dtype dtype, int mantissa_bits, int bias, int exponent_bits) {
  for (uint32_t bits = 0; bits <= 0xffff; bits++) {
    const uint16_t half = (uint16_t)bits;
    float value;
    uint16_t back;
    ckt_dtype_decode(dtype, &half, 0, 1, &value);
    const double expected = value_of_bits(bits, mantissa_bits, bias, exponent_bits);
    ckt_dtype_encode(dtype, &value, 0, 1, &back);
    if (isnan(expected)) {
      float again;
      ckt_dtype_decode(dtype, &back, 0, 1, &again);
      assert_true(isnan(value) && isnan(again));
      continue;
    }
    assert_true((double)value == expected && !signbit(value) == !signbit(expected));
    assert_int_equal(back, half);
  }
}

/* Between two neighbours: the nearer one, and the even one from the middle. */
static void check_rounding(enum ckt_dtype dtype, uint32_t infinity) {
  for (uint32_t bits = 0; bits + 1 < infinity; bits++) {
    const uint16_t pair[2] = {(uint16_t)bits, (uint16_t)(bits + 1)};
    float low_high[2];
    ckt_dtype_decode(dtype, pair, 0, 2, low_high);
    const float middle = (float)(((double)low_high[0] + (double)low_high[1]) / 2);
    const float probes[3] = {nextafterf(middle, 0.0f), middle, nextafterf(middle, INFINITY)};
    uint16_t got[3];
    ckt_dtype_encode(dtype, probes, 0, 3, got);
    assert_int_equal(got[0], pair[0]);
    assert_int_equal(got[1], pair[bits & 1]);
    assert_int_equal(got[2], pair[1]);
  }
}

static void test_sixteen_bit_formats(void **state) {
  (void)state;
  check_all_patterns(CKT_FP16, 10, 15, 5);
  check_all_patterns(CKT_BF16, 7, 127, 8);
  check_rounding(CKT_FP16, 0x7c00);
  check_rounding(CKT_BF16, 0x7f80);
  const float large[2] = {65519.0f, 65520.0f};
  uint16_t got[2];
  ckt_dtype_encode(CKT_FP16, large, 0, 2, got);
  assert_int_equal(got[0], 0x7bff);
  assert_int_equal(got[1], 0x7c00);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_against_definition),      cmocka_unit_test(test_thread_count_changes_nothing),
      cmocka_unit_test(test_seed_changes_everything), cmocka_unit_test(test_normal_numbers_are_normal),
      cmocka_unit_test(test_whole_numbers),           cmocka_unit_test(test_limits),
      cmocka_unit_test(test_sixteen_bit_formats),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
