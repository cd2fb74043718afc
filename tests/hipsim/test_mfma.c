/* MFMA: every form against the plain sum over k, by the published register layouts; the order of gfx90a's f16 and bf16
 * sums and its flushing; equality of the host's variants; an inline constant as C, AGPRs, D apart from C, broadcasts of A and permutations of B. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/hipsim/sim_table.h"
#include "bench/hipsim/sim_wave.h"

enum { REGISTERS = 600 };

struct bench {
  sim_vreg *v;
  struct sim_code code;
  struct sim_wave w;
};

static void open_bench(struct bench *bench) {
  memset(bench, 0, sizeof *bench);
  bench->v = aligned_alloc(64, sizeof(sim_vreg) * REGISTERS);
  assert_non_null(bench->v);
  memset(bench->v, 0, sizeof(sim_vreg) * REGISTERS);
  bench->w.v = bench->v;
  bench->code.arch = SIM_GFX90A;
  bench->w.code = &bench->code;
}

static void run(struct bench *bench, enum sim_op op, unsigned dst, unsigned a, unsigned b, unsigned c,
                uint32_t control) {
  struct sim_inst inst = {.op = (uint16_t)op,
                          .dst = (uint16_t)dst,
                          .src = {(uint16_t)a, (uint16_t)b, (uint16_t)c},
                          .lane_ctl = control};
  sim_handler *handler = sim_variant_handlers()[op];
  assert_non_null(handler);
  handler(&bench->w, &inst);
}

/* ---- numbers ---- */

enum type { TF32, TF16, TBF16 };

static uint32_t float_bits(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static float bits_float(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* Exact for the small integers and powers of two that the tests use. */
static uint32_t encode(enum type type, float value) {
  uint32_t bits = float_bits(value);
  if (type == TF32) {
    return bits;
  }
  if (type == TBF16) {
    return bits >> 16;
  }
  uint32_t sign = bits >> 16 & 0x8000u, exponent = bits >> 23 & 0xffu;
  return value == 0 ? sign : sign | (exponent - 112u) << 10 | (bits >> 13 & 0x3ffu);
}

struct form {
  enum sim_op op;
  unsigned m, k, blocks, per_lane;
  enum type type;
};

static const struct form forms[] = {
    {SIM_OP_v_mfma_f32_32x32x1f32, 32, 1, 2, 1, TF32},
    {SIM_OP_v_mfma_f32_16x16x1f32, 16, 1, 4, 1, TF32},
    {SIM_OP_v_mfma_f32_4x4x1f32, 4, 1, 16, 1, TF32},
    {SIM_OP_v_mfma_f32_32x32x2f32, 32, 2, 1, 1, TF32},
    {SIM_OP_v_mfma_f32_16x16x4f32, 16, 4, 1, 1, TF32},
    {SIM_OP_v_mfma_f32_32x32x4f16, 32, 4, 2, 4, TF16},
    {SIM_OP_v_mfma_f32_16x16x4f16, 16, 4, 4, 4, TF16},
    {SIM_OP_v_mfma_f32_4x4x4f16, 4, 4, 16, 4, TF16},
    {SIM_OP_v_mfma_f32_32x32x8f16, 32, 8, 1, 4, TF16},
    {SIM_OP_v_mfma_f32_16x16x16f16, 16, 16, 1, 4, TF16},
    {SIM_OP_v_mfma_f32_32x32x4bf16_1k, 32, 4, 2, 4, TBF16},
    {SIM_OP_v_mfma_f32_16x16x4bf16_1k, 16, 4, 4, 4, TBF16},
    {SIM_OP_v_mfma_f32_4x4x4bf16_1k, 4, 4, 16, 4, TBF16},
    {SIM_OP_v_mfma_f32_32x32x8bf16_1k, 32, 8, 1, 4, TBF16},
    {SIM_OP_v_mfma_f32_16x16x16bf16_1k, 16, 16, 1, 4, TBF16},
    {SIM_OP_v_mfma_f32_32x32x2bf16, 32, 2, 2, 2, TBF16},
    {SIM_OP_v_mfma_f32_16x16x2bf16, 16, 2, 4, 2, TBF16},
    {SIM_OP_v_mfma_f32_4x4x2bf16, 4, 2, 16, 2, TBF16},
    {SIM_OP_v_mfma_f32_32x32x4bf16, 32, 4, 1, 2, TBF16},
    {SIM_OP_v_mfma_f32_16x16x8bf16, 16, 8, 1, 2, TBF16},
    {SIM_OP_v_mfma_f32_32x32x16_f16, 32, 16, 1, 8, TF16},
    {SIM_OP_v_mfma_f32_16x16x32_bf16, 16, 32, 1, 8, TBF16},
};

/* ---- layouts ---- */

/* Puts element (row or column i, k) of a block into the registers from `first` on. */
static void put_input(struct bench *bench, const struct form *f, unsigned first, unsigned block, unsigned i,
                      unsigned k, float value) {
  unsigned lane = i + f->m * (block + f->blocks * (k / f->per_lane)), element = k % f->per_lane;
  uint32_t bits = encode(f->type, value);
  if (f->type == TF32) {
    bench->v[first][lane] = bits;
  } else {
    uint32_t *word = &bench->v[first + element / 2][lane];
    unsigned shift = element % 2 * 16;
    *word = (*word & ~(0xffffu << shift)) | bits << shift;
  }
}

static uint32_t *output(struct bench *bench, const struct form *f, unsigned first, unsigned block, unsigned i,
                        unsigned j) {
  switch (f->m) {
  case 32:
    return &bench->v[first + 16 * block + i % 4 + i / 8 * 4][j + i / 4 % 2 * 32];
  case 16:
    return &bench->v[first + 4 * block + i % 4][j + i / 4 * 16];
  default:
    return &bench->v[first + i][j + 4 * block];
  }
}

static float a_value(unsigned block, unsigned i, unsigned k) {
  return (float)((int)((3 * block + 5 * i + 7 * k + i * k) % 9) - 4);
}

static float b_value(unsigned block, unsigned j, unsigned k) {
  return (float)((int)((2 * block + 7 * j + 3 * k + j * k) % 7) - 3);
}

static float c_value(unsigned block, unsigned i, unsigned j) {
  return (float)((int)((block + 11 * i + 13 * j) % 101) - 50);
}

static void fill_inputs(struct bench *bench, const struct form *f, unsigned a, unsigned b) {
  for (unsigned block = 0; block < f->blocks; block++) {
    for (unsigned i = 0; i < f->m; i++) {
      for (unsigned k = 0; k < f->k; k++) {
        put_input(bench, f, a, block, i, k, a_value(block, i, k));
        put_input(bench, f, b, block, i, k, b_value(block, i, k));
      }
    }
  }
}

/* Compares all of D with the sums; block_of_a[block] is where A comes from. */
static void check(struct bench *bench, const struct form *f, unsigned d, bool with_c,
                  const unsigned block_of_a[16]) {
  for (unsigned block = 0; block < f->blocks; block++) {
    for (unsigned i = 0; i < f->m; i++) {
      for (unsigned j = 0; j < f->m; j++) {
        float want = with_c ? c_value(block, i, j) : 0;
        for (unsigned k = 0; k < f->k; k++) {
          want += a_value(block_of_a[block], i, k) * b_value(block, j, k);
        }
        float got = bits_float(*output(bench, f, d, block, i, j));
        if (got != want) {
          fail_msg("%s block %u [%u][%u]: %g instead of %g", sim_info[f->op].name, block, i, j, (double)got,
                   (double)want);
        }
      }
    }
  }
}

static const unsigned itself[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

/* ---- tests ---- */

/* A and B in VGPRs, C in AGPRs, D elsewhere; then the inline constant 0 as C. */
static void every_form(void **state) {
  (void)state;
  for (size_t n = 0; n < sizeof forms / sizeof forms[0]; n++) {
    const struct form *f = &forms[n];
    struct bench bench;
    open_bench(&bench);
    fill_inputs(&bench, f, 0, 8);
    for (unsigned block = 0; block < f->blocks; block++) {
      for (unsigned i = 0; i < f->m; i++) {
        for (unsigned j = 0; j < f->m; j++) {
          *output(&bench, f, 256, block, i, j) = float_bits(c_value(block, i, j));
        }
      }
    }
    run(&bench, f->op, SIM_VGPR0 + 64, SIM_VGPR0, SIM_VGPR0 + 8, SIM_AGPR0, 0);
    check(&bench, f, 64, true, itself);
    run(&bench, f->op, SIM_AGPR0, SIM_VGPR0, SIM_VGPR0 + 8, SIM_AGPR0, 0);
    check(&bench, f, 256, true, itself);
    run(&bench, f->op, SIM_VGPR0 + 128, SIM_VGPR0, SIM_VGPR0 + 8, SIM_INLINE_INT_0, 0);
    check(&bench, f, 128, false, itself);
    free(bench.v);
  }
}

static void broadcast_of_a(void **state) {
  (void)state;
  static const struct form f = {SIM_OP_v_mfma_f32_4x4x4f16, 4, 4, 16, 4, TF16};
  unsigned from[16];
  for (unsigned i = 0; i < 16; i++) {
    from[i] = i / 4 * 4 + 3;
  }
  struct bench bench;
  open_bench(&bench);
  fill_inputs(&bench, &f, 0, 8);
  run(&bench, f.op, SIM_VGPR0 + 64, SIM_VGPR0, SIM_VGPR0 + 8, SIM_INLINE_INT_0, 2u | 3u << 8);
  check(&bench, &f, 64, false, from);
  free(bench.v);
}

/* blgp 1: lanes 0..31 of B stand for 32..63 too, so both k of 32x32x2 see column values of k = 0. */
static void permutation_of_b(void **state) {
  (void)state;
  static const struct form f = {SIM_OP_v_mfma_f32_32x32x2f32, 32, 2, 1, 1, TF32};
  struct bench bench;
  open_bench(&bench);
  fill_inputs(&bench, &f, 0, 8);
  run(&bench, f.op, SIM_VGPR0 + 64, SIM_VGPR0, SIM_VGPR0 + 8, SIM_INLINE_INT_0, 1u << 16);
  for (unsigned i = 0; i < 32; i++) {
    for (unsigned j = 0; j < 32; j++) {
      float want = (a_value(0, i, 0) + a_value(0, i, 1)) * b_value(0, j, 0);
      assert_true(bits_float(*output(&bench, &f, 64, 0, i, j)) == want);
    }
  }
  free(bench.v);
}

/* One row of A times ones: D[0][0] of products `p` and accumulator `c`. */
static float dot(const struct form *f, const float p[], float c, bool fast) {
  struct bench bench;
  open_bench(&bench);
  bench.w.mfma_fast = fast;
  for (unsigned k = 0; k < f->k; k++) {
    put_input(&bench, f, 0, 0, 0, k, p[k]);
    put_input(&bench, f, 8, 0, 0, k, 1.0f);
  }
  *output(&bench, f, 256, 0, 0, 0) = float_bits(c);
  run(&bench, f->op, SIM_AGPR0, SIM_VGPR0, SIM_VGPR0 + 8, SIM_AGPR0, 0);
  float result = bits_float(*output(&bench, f, 256, 0, 0, 0));
  free(bench.v);
  return result;
}

/* 2^24 + 1 rounds to 2^24, but 2^24 + (1 + 1) does not: fours are summed before the accumulator takes them. */
static void order_of_sums(void **state) {
  (void)state;
  static const struct form f16 = {SIM_OP_v_mfma_f32_32x32x8f16, 32, 8, 1, 4, TF16};
  static const struct form pairs = {SIM_OP_v_mfma_f32_32x32x4bf16, 32, 4, 1, 2, TBF16};
  const float big = 16777216.0f;
  const float ones[8] = {1, 0, 1, 0};
  assert_true(dot(&f16, ones, big, false) == big + 2);
  assert_true(dot(&f16, ones, big, true) == big);
  const float apart[4] = {1, 0, 1, 0}, together[4] = {1, 1, 0, 0};
  assert_true(dot(&pairs, apart, big, false) == big);
  assert_true(dot(&pairs, together, big, false) == big + 2);
}

static void subnormals_are_zero(void **state) {
  (void)state;
  static const struct form f16 = {SIM_OP_v_mfma_f32_32x32x8f16, 32, 8, 1, 4, TF16};
  static const struct form bf16 = {SIM_OP_v_mfma_f32_32x32x8bf16_1k, 32, 8, 1, 4, TBF16};
  static const struct form f32 = {SIM_OP_v_mfma_f32_32x32x2f32, 32, 2, 1, 1, TF32};
  const float none[8] = {0}, tiny = bits_float(0x00400000), small = bits_float(0x00800000);
  assert_true(dot(&f16, none, tiny, false) == 0);
  assert_true(dot(&f16, none, small, false) == small);
  assert_true(dot(&bf16, none, tiny, false) == 0);
  assert_true(dot(&bf16, none, small, false) == small);
  assert_true(dot(&f32, none, tiny, false) == tiny);
  const float subnormal[8] = {tiny};
  assert_true(dot(&bf16, subnormal, 0, false) == 0);
  assert_true(dot(&f32, subnormal, 0, false) == tiny);
}

/* ---- 8-bit integers and f64 ---- */

static void every_int8_form(void **state) {
  (void)state;
  static const struct form int8_forms[] = {
      {SIM_OP_v_mfma_i32_32x32x4i8, 32, 4, 2, 4, TF32},   {SIM_OP_v_mfma_i32_16x16x4i8, 16, 4, 4, 4, TF32},
      {SIM_OP_v_mfma_i32_4x4x4i8, 4, 4, 16, 4, TF32},     {SIM_OP_v_mfma_i32_32x32x8i8, 32, 8, 1, 4, TF32},
      {SIM_OP_v_mfma_i32_16x16x16i8, 16, 16, 1, 4, TF32}, {SIM_OP_v_mfma_i32_16x16x32_i8, 16, 32, 1, 8, TF32},
  };
  for (size_t n = 0; n < sizeof int8_forms / sizeof int8_forms[0]; n++) {
    const struct form *f = &int8_forms[n];
    struct bench bench;
    open_bench(&bench);
    for (unsigned block = 0; block < f->blocks; block++) {
      for (unsigned i = 0; i < f->m; i++) {
        for (unsigned k = 0; k < f->k; k++) {
          unsigned lane = i + f->m * (block + f->blocks * (k / f->per_lane)), e = k % f->per_lane;
          bench.v[e / 4][lane] |= ((uint32_t)(int)a_value(block, i, k) & 0xffu) << e % 4 * 8;
          bench.v[8 + e / 4][lane] |= ((uint32_t)(int)b_value(block, i, k) & 0xffu) << e % 4 * 8;
        }
      }
    }
    run(&bench, f->op, SIM_VGPR0 + 64, SIM_VGPR0, SIM_VGPR0 + 8, SIM_INLINE_INT_0 + 1, 0);
    for (unsigned place = 0; place < f->blocks * f->m * f->m; place++) {
      unsigned block = place / (f->m * f->m), i = place / f->m % f->m, j = place % f->m;
      int want = 1;
      for (unsigned k = 0; k < f->k; k++) {
        want += (int)(a_value(block, i, k) * b_value(block, j, k));
      }
      assert_int_equal((int32_t)*output(&bench, f, 64, block, i, j), want);
    }
    free(bench.v);
  }
}

/* The low words of doubles are in `low`, the high ones in the register behind it. */
static void put_double(sim_vreg *low, sim_vreg *high, unsigned lane, double value) {
  uint32_t word[2];
  memcpy(word, &value, sizeof word);
  (*low)[lane] = word[0];
  (*high)[lane] = word[1];
}

static void f64_forms(void **state) {
  (void)state;
  static const struct form f64[] = {{SIM_OP_v_mfma_f64_16x16x4f64, 16, 4, 1, 1, TF32},
                                    {SIM_OP_v_mfma_f64_4x4x4f64, 4, 4, 4, 1, TF32}};
  for (size_t n = 0; n < 2; n++) {
    const struct form *f = &f64[n];
    struct bench bench;
    open_bench(&bench);
    for (unsigned place = 0; place < f->blocks * f->m * f->k; place++) {
      unsigned block = place / (f->m * f->k), i = place / f->k % f->m, k = place % f->k;
      put_double(&bench.v[0], &bench.v[1], i + f->m * (block + f->blocks * k), (double)a_value(block, i, k));
      put_double(&bench.v[8], &bench.v[9], i + f->m * (block + f->blocks * k), (double)b_value(block, i, k));
    }
    run(&bench, f->op, SIM_VGPR0 + 64, SIM_VGPR0, SIM_VGPR0 + 8, SIM_INLINE_FLOAT_0 + 2, 0);
    for (unsigned place = 0; place < f->blocks * f->m * f->m; place++) {
      unsigned block = place / (f->m * f->m), i = place / f->m % f->m, j = place % f->m;
      double want = 1, got;
      for (unsigned k = 0; k < f->k; k++) {
        want += (double)a_value(block, i, k) * (double)b_value(block, j, k);
      }
      unsigned reg = f->m == 16 ? 2 * (i / 4) : 0,
               lane = f->m == 16 ? 16 * (i % 4) + j : 16 * i + 4 * block + j;
      uint32_t word[2] = {bench.v[64 + reg][lane], bench.v[65 + reg][lane]};
      memcpy(&got, word, sizeof got);
      assert_true(got == want);
    }
    free(bench.v);
  }
}

/* ---- the variants ---- */

extern sim_handler *const sim_handlers_generic[SIM_OP_COUNT];
extern sim_handler *const sim_handlers_avx2[SIM_OP_COUNT];
extern sim_handler *const sim_handlers_avx512[SIM_OP_COUNT];

/* Random bits without the exponent of infinities and NaN, of which only the class is defined. */
static uint32_t random_bits(uint32_t *seed, enum type type) {
  *seed = *seed * 1664525u + 1013904223u;
  uint32_t bits = *seed ^ *seed >> 15, most = type == TF16 ? 0x40004000u : 0x40000000u;
  return bits & ~(type == TBF16 ? 0x40004000u : most);
}

/* The same results, bit for bit, from the handlers of every vector extension of this host. */
static void variants_agree(void **state) {
  (void)state;
  sim_handler *const *const variants[] = {
      sim_handlers_generic,
      __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? sim_handlers_avx2 : NULL,
      strcmp(sim_variant_name(), "avx512") == 0 ? sim_handlers_avx512 : NULL};
  for (size_t n = 0; n < sizeof forms / sizeof forms[0]; n++) {
    sim_vreg result[3][32];
    for (unsigned i = 0; i < 3; i++) {
      struct bench bench;
      uint32_t seed = 12345u + (uint32_t)n;
      open_bench(&bench);
      for (unsigned word = 0; word < 16 * SIM_LANES; word++) {
        bench.v[word / SIM_LANES][word % SIM_LANES] = random_bits(&seed, forms[n].type);
      }
      for (unsigned word = 0; word < 32 * SIM_LANES; word++) {
        bench.v[256 + word / SIM_LANES][word % SIM_LANES] = random_bits(&seed, TF32);
      }
      struct sim_inst inst = {
          .op = (uint16_t)forms[n].op, .dst = SIM_VGPR0 + 64, .src = {SIM_VGPR0, SIM_VGPR0 + 8, SIM_AGPR0}};
      if (variants[i] != NULL) {
        variants[i][forms[n].op](&bench.w, &inst);
        memcpy(result[i], bench.v[64], sizeof result[i]);
        assert_memory_equal(result[i], result[0], sizeof result[0]);
      }
      free(bench.v);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_form),          cmocka_unit_test(broadcast_of_a),
      cmocka_unit_test(permutation_of_b),    cmocka_unit_test(order_of_sums),
      cmocka_unit_test(subnormals_are_zero), cmocka_unit_test(every_int8_form),
      cmocka_unit_test(f64_forms),           cmocka_unit_test(variants_agree),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
