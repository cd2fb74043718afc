/* The rounding of MFMA on gfx908 and gfx942 (and gfx950, taken to do as gfx942) against scalar models written here from the
 * published description, in integer arithmetic wide enough to be exact: every f16 and bf16 form and xf32, on random numbers
 * of narrow and of full range, subnormals, zeros, infinities and NaN, on every variant of the host; and single sums whose
 * results tell the models apart. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/hipsim/sim_table.h"
#include "bench/hipsim/sim_wave.h"

enum { REGISTERS = 600, FIRST_B = 8, FIRST_C = 256, FIRST_D = 64 };

enum type { TF16, TBF16, TXF32 };

struct form {
  enum sim_op op;
  unsigned m, k, blocks, per_lane;
  enum type type;
};

/* ---- numbers: sign * significand * 2^scale, significand an integer ---- */

struct number {
  int64_t significand;
  int scale;
  int exponent; /* of the unnormalised significand: what alignment goes by */
  bool zero;
};

static float float_of(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static uint32_t bits_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/* A finite number of `fraction` bits of fraction and `bias`. */
static struct number number_of(uint32_t bits, unsigned fraction, unsigned exponent_bits) {
  int bias = (1 << (exponent_bits - 1)) - 1;
  int field = (int)(bits >> fraction & ((1u << exponent_bits) - 1));
  int64_t significand = bits & ((1u << fraction) - 1);
  bool negative = bits >> (fraction + exponent_bits) & 1;
  significand |= field > 0 ? (int64_t)1 << fraction : 0;
  int exponent = (field > 0 ? field : 1) - bias;
  return (struct number){negative ? -significand : significand, exponent - (int)fraction, exponent,
                         significand == 0};
}

static struct number element(enum type type, uint32_t bits) {
  switch (type) {
  case TF16:
    return number_of(bits & 0xffff, 10, 5);
  case TBF16:
    return number_of(bits & 0xffff, 7, 8);
  default:
    return number_of(bits & 0xffffe000, 23, 8);
  }
}

static struct number product(struct number a, struct number b) {
  return (struct number){a.significand * b.significand, a.scale + b.scale, a.exponent + b.exponent,
                         a.zero || b.zero};
}

/* ---- rounding a sum of such numbers once, by long arithmetic ---- */

enum { WORDS = 24, LOW = -320 };

/* Two's complement, 32 bits a word, the lowest bit worth 2^LOW. */
struct fixed {
  uint32_t word[WORDS];
};

static void negate(struct fixed *f) {
  uint64_t carry = 1;
  for (unsigned i = 0; i < WORDS; i++) {
    carry += (uint32_t)~f->word[i];
    f->word[i] = (uint32_t)carry;
    carry >>= 32;
  }
}

static void add_number(struct fixed *f, struct number n) {
  struct fixed term = {{0}};
  uint64_t magnitude = (uint64_t)(n.significand < 0 ? -n.significand : n.significand);
  for (unsigned bit = 0; bit < 64; bit++) {
    if (magnitude >> bit & 1) {
      unsigned place = (unsigned)(n.scale + (int)bit - LOW);
      term.word[place / 32] |= 1u << place % 32;
    }
  }
  if (n.significand < 0)
    negate(&term);
  uint64_t carry = 0;
  for (unsigned i = 0; i < WORDS; i++) {
    carry += (uint64_t)f->word[i] + term.word[i];
    f->word[i] = (uint32_t)carry;
    carry >>= 32;
  }
}

static bool bit_at(const struct fixed *f, int place) {
  return place >= 0 && (f->word[place / 32] >> place % 32 & 1);
}

/* To the nearest f32, ties to even. */
static float round_fixed(struct fixed f) {
  bool negative = f.word[WORDS - 1] >> 31;
  if (negative)
    negate(&f);
  int top = WORDS * 32 - 1;
  while (top >= 0 && !bit_at(&f, top))
    top--;
  if (top < 0)
    return 0;
  int exponent = top + LOW,
      last = (exponent < -126 ? -126 : exponent) - 23 - LOW; /* place of the last bit kept */
  uint32_t kept = 0;
  for (int place = top; place >= last; place--)
    kept = kept << 1 | bit_at(&f, place);
  bool half = bit_at(&f, last - 1), below = false;
  for (int place = 0; place < last - 1; place++)
    below |= bit_at(&f, place);
  kept += half && (below || (kept & 1));
  uint32_t biased =
      exponent < -126 ? 0 : (uint32_t)(exponent + 126); /* the leading one of `kept` adds one more */
  uint32_t bits = (biased << 23) + kept;
  if (exponent >= 128 || bits >= 0x7f800000)
    bits = 0x7f800000;
  return float_of(bits | (negative ? 0x80000000 : 0));
}

/* ---- the models ---- */

/* gfx908: all exactly, rounded once. */
static float exact_step(const struct number *products, unsigned count, float c) {
  struct fixed sum = {{0}};
  for (unsigned i = 0; i < count; i++)
    add_number(&sum, products[i]);
  add_number(&sum, number_of(bits_of(c), 23, 8));
  return round_fixed(sum);
}

/* n in units of 2^(exponent - fraction), rounded towards zero or down. */
static int64_t align(__int128 significand, int scale, int exponent, int fraction, bool down) {
  int shift = exponent - fraction - scale;
  if (shift <= 0)
    return (int64_t)(significand * ((__int128)1 << -shift));
  if (shift > 120)
    return down && significand < 0 ? -1 : 0;
  __int128 unit = (__int128)1 << shift, quotient = significand / unit;
  if (down && significand < 0 && quotient * unit != significand)
    quotient--;
  return (int64_t)quotient;
}

/* gfx942: products aligned at 24 bits, their sum at 31, the accumulator at 24. */
static float aligned_step(const struct number *products, unsigned count, float c) {
  int most = -100000;
  int64_t sum = 0;
  struct number own = number_of(bits_of(c), 23, 8);
  for (unsigned i = 0; i < count; i++)
    if (!products[i].zero && products[i].exponent > most)
      most = products[i].exponent;
  bool none = most == -100000;
  for (unsigned i = 0; i < count && !none; i++)
    sum += products[i].zero ? 0 : align(products[i].significand, products[i].scale, most, 24, false);
  if (none && own.zero)
    return 0;
  int both = none || (!own.zero && own.exponent > most) ? own.exponent : most;
  int64_t total = none ? 0 : align(sum, most - 24, both, 31, true);
  total += own.zero ? 0 : align(own.significand, own.scale, both, 24, true) * 128;
  struct fixed result = {{0}};
  add_number(&result, (struct number){.significand = total, .scale = both - 31});
  return round_fixed(result);
}

typedef float model(const struct number *products, unsigned count, float c);

/* ---- running a form ---- */

extern sim_handler *const sim_handlers_generic[SIM_OP_COUNT];
extern sim_handler *const sim_handlers_avx2[SIM_OP_COUNT];
extern sim_handler *const sim_handlers_avx512[SIM_OP_COUNT];

static sim_handler *const *variant(unsigned i) {
  switch (i) {
  case 0:
    return sim_handlers_generic;
  case 1:
    return strcmp(sim_variant_name(), "generic") == 0 ? NULL : sim_handlers_avx2;
  default:
    return strcmp(sim_variant_name(), "avx512") == 0 ? sim_handlers_avx512 : NULL;
  }
}

struct bench {
  sim_vreg *v;
  struct sim_code code;
  struct sim_wave w;
};

static void open_bench(struct bench *bench, enum sim_arch arch) {
  memset(bench, 0, sizeof *bench);
  bench->v = aligned_alloc(64, sizeof(sim_vreg) * REGISTERS);
  assert_non_null(bench->v);
  memset(bench->v, 0, sizeof(sim_vreg) * REGISTERS);
  bench->code.arch = arch;
  bench->w.code = &bench->code;
  bench->w.v = bench->v;
}

static void run(struct bench *bench, const struct form *f, sim_handler *const *handlers) {
  struct sim_inst inst = {
      .op = (uint16_t)f->op, .dst = SIM_VGPR0 + FIRST_D, .src = {SIM_VGPR0, SIM_VGPR0 + FIRST_B, SIM_AGPR0}};
  handlers[f->op](&bench->w, &inst);
}

static uint32_t input_bits(const struct bench *bench, const struct form *f, unsigned first, unsigned block,
                           unsigned i, unsigned k) {
  unsigned lane = i + f->m * (block + f->blocks * (k / f->per_lane)), e = k % f->per_lane;
  if (f->type == TXF32)
    return bench->v[first + e][lane];
  return bench->v[first + e / 2][lane] >> e % 2 * 16 & 0xffff;
}

static uint32_t output_bits(const struct bench *bench, const struct form *f, unsigned first, unsigned block,
                            unsigned i, unsigned j) {
  switch (f->m) {
  case 32:
    return bench->v[first + 16 * block + i % 4 + i / 8 * 4][j + i / 4 % 2 * 32];
  case 16:
    return bench->v[first + 4 * block + i % 4][j + i / 4 * 16];
  default:
    return bench->v[first + i][j + 4 * block];
  }
}

static float expected(const struct bench *bench, const struct form *f, unsigned group, model *step,
                      unsigned block, unsigned i, unsigned j) {
  float sum = float_of(output_bits(bench, f, FIRST_C, block, i, j));
  for (unsigned k = 0; k < f->k; k += group) {
    struct number products[8];
    for (unsigned n = 0; n < group; n++)
      products[n] = product(element(f->type, input_bits(bench, f, 0, block, i, k + n)),
                            element(f->type, input_bits(bench, f, FIRST_B, block, j, k + n)));
    if ((bits_of(sum) & 0x7f800000) != 0x7f800000)
      sum = step(products, group, sum);
  }
  return sum;
}

static void compare(const struct bench *bench, const struct form *f, unsigned group, model *step) {
  for (unsigned place = 0; place < f->blocks * f->m * f->m; place++) {
    unsigned block = place / (f->m * f->m), i = place / f->m % f->m, j = place % f->m;
    uint32_t got = output_bits(bench, f, FIRST_D, block, i, j);
    uint32_t want = bits_of(expected(bench, f, group, step, block, i, j));
    if (got != want)
      fail_msg("%s block %u [%u][%u]: 0x%08x (%g) instead of 0x%08x (%g)", sim_info[f->op].name, block, i, j,
               got, (double)float_of(got), want, (double)float_of(want));
  }
}

/* ---- random numbers ---- */

static uint64_t random_state = 88172645463325252u;

static uint32_t random_word(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return (uint32_t)(random_state >> 16);
}

/* spread: exponents around 1; 0 is the whole range, subnormals and zeros among them. */
static uint32_t random_number(unsigned fraction, unsigned exponent_bits, unsigned spread) {
  uint32_t word = random_word(), bias = (1u << (exponent_bits - 1)) - 1, most = 2 * bias;
  uint32_t field = spread == 0 ? random_word() % (most + 1) : bias - spread + random_word() % (2 * spread);
  uint32_t bits =
      (word & ((1u << fraction) - 1)) | field << fraction | (word >> 31) << (fraction + exponent_bits);
  return random_word() % 16 == 0 ? 0 : bits;
}

static uint32_t random_input(enum type type, unsigned spread) {
  if (type == TXF32)
    return random_number(23, 8, spread);
  unsigned fraction = type == TF16 ? 10 : 7, exponent_bits = type == TF16 ? 5 : 8;
  return random_number(fraction, exponent_bits, spread) | random_number(fraction, exponent_bits, spread)
                                                              << 16;
}

static void fill(struct bench *bench, const struct form *f, unsigned spread) {
  for (unsigned word = 0; word < FIRST_B * SIM_LANES; word++) {
    bench->v[word / SIM_LANES][word % SIM_LANES] = random_input(f->type, spread);
    bench->v[FIRST_B + word / SIM_LANES][word % SIM_LANES] = random_input(f->type, spread);
  }
  for (unsigned word = 0; word < 32 * SIM_LANES; word++)
    bench->v[FIRST_C + word / SIM_LANES][word % SIM_LANES] = random_number(23, 8, spread);
}

static void follow_model(const struct form *forms, size_t count, enum sim_arch arch) {
  static const unsigned spreads[] = {3, 8, 14, 0};
  for (size_t n = 0; n < count; n++) {
    const struct form *f = &forms[n];
    unsigned most = f->type == TXF32 ? 4 : 8, group = f->k < most ? f->k : most;
    if (arch == SIM_GFX908)
      group = f->type == TF16 ? 4 : 2;
    for (unsigned i = 0; i < 3; i++) {
      for (unsigned s = 0; variant(i) && s < sizeof spreads / sizeof *spreads; s++) {
        struct bench bench;
        open_bench(&bench, arch);
        fill(&bench, f, spreads[s]);
        run(&bench, f, variant(i));
        compare(&bench, f, group, arch == SIM_GFX908 ? exact_step : aligned_step);
        free(bench.v);
      }
    }
  }
}

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const struct form on_gfx908[] = {
    {SIM_OP_v_mfma_f32_32x32x4f16, 32, 4, 2, 4, TF16},   {SIM_OP_v_mfma_f32_16x16x4f16, 16, 4, 4, 4, TF16},
    {SIM_OP_v_mfma_f32_4x4x4f16, 4, 4, 16, 4, TF16},     {SIM_OP_v_mfma_f32_32x32x8f16, 32, 8, 1, 4, TF16},
    {SIM_OP_v_mfma_f32_16x16x16f16, 16, 16, 1, 4, TF16}, {SIM_OP_v_mfma_f32_32x32x2bf16, 32, 2, 2, 2, TBF16},
    {SIM_OP_v_mfma_f32_16x16x2bf16, 16, 2, 4, 2, TBF16}, {SIM_OP_v_mfma_f32_4x4x2bf16, 4, 2, 16, 2, TBF16},
    {SIM_OP_v_mfma_f32_32x32x4bf16, 32, 4, 1, 2, TBF16}, {SIM_OP_v_mfma_f32_16x16x8bf16, 16, 8, 1, 2, TBF16},
};

static const struct form on_gfx942[] = {
    {SIM_OP_v_mfma_f32_32x32x4_2b_f16, 32, 4, 2, 4, TF16},
    {SIM_OP_v_mfma_f32_16x16x4_4b_f16, 16, 4, 4, 4, TF16},
    {SIM_OP_v_mfma_f32_4x4x4_16b_f16, 4, 4, 16, 4, TF16},
    {SIM_OP_v_mfma_f32_32x32x8_f16, 32, 8, 1, 4, TF16},
    {SIM_OP_v_mfma_f32_16x16x16_f16, 16, 16, 1, 4, TF16},
    {SIM_OP_v_mfma_f32_32x32x4_2b_bf16, 32, 4, 2, 4, TBF16},
    {SIM_OP_v_mfma_f32_16x16x4_4b_bf16, 16, 4, 4, 4, TBF16},
    {SIM_OP_v_mfma_f32_4x4x4_16b_bf16, 4, 4, 16, 4, TBF16},
    {SIM_OP_v_mfma_f32_32x32x8_bf16, 32, 8, 1, 4, TBF16},
    {SIM_OP_v_mfma_f32_16x16x16_bf16, 16, 16, 1, 4, TBF16},
    {SIM_OP_v_mfma_f32_16x16x8_xf32, 16, 8, 1, 2, TXF32},
    {SIM_OP_v_mfma_f32_32x32x4_xf32, 32, 4, 1, 2, TXF32},
};

static const struct form on_gfx950[] = {
    {SIM_OP_v_mfma_f32_32x32x16_f16, 32, 16, 1, 8, TF16},
    {SIM_OP_v_mfma_f32_16x16x32_f16, 16, 32, 1, 8, TF16},
    {SIM_OP_v_mfma_f32_32x32x16_bf16, 32, 16, 1, 8, TBF16},
    {SIM_OP_v_mfma_f32_16x16x32_bf16, 16, 32, 1, 8, TBF16},
};

static void gfx908_is_exact(void **state) {
  (void)state;
  follow_model(on_gfx908, COUNT(on_gfx908), SIM_GFX908);
}

static void gfx942_aligns(void **state) {
  (void)state;
  follow_model(on_gfx942, COUNT(on_gfx942), SIM_GFX942);
}

static void gfx950_does_as_gfx942(void **state) {
  (void)state;
  follow_model(on_gfx950, COUNT(on_gfx950), SIM_GFX950);
}

/* ---- single sums ---- */

/* D[0][0] where row 0 of A holds these bits and column 0 of B as many ones. */
static float dot(const struct form *f, enum sim_arch arch, const uint16_t *row, float c) {
  struct bench bench;
  open_bench(&bench, arch);
  for (unsigned k = 0; k < f->k; k++) {
    unsigned lane = f->m * f->blocks * (k / f->per_lane), e = k % f->per_lane;
    bench.v[e / 2][lane] |= (uint32_t)row[k] << e % 2 * 16;
    bench.v[FIRST_B + e / 2][lane] |= (f->type == TF16 ? 0x3c00u : 0x3f80u) << e % 2 * 16;
  }
  bench.v[FIRST_C][0] = bits_of(c);
  run(&bench, f, sim_variant_handlers());
  float result = float_of(bench.v[FIRST_D][0]);
  free(bench.v);
  return result;
}

static const struct form old_f16 = {SIM_OP_v_mfma_f32_32x32x8f16, 32, 8, 1, 4, TF16};
static const struct form new_f16 = {SIM_OP_v_mfma_f32_32x32x8_f16, 32, 8, 1, 4, TF16};

/* 2^-24 is the least f16, a subnormal. */
static void subnormals_count(void **state) {
  (void)state;
  const uint16_t least[8] = {1};
  assert_true(dot(&old_f16, SIM_GFX908, least, 0) == 0x1p-24f);
  assert_true(dot(&old_f16, SIM_GFX90A, least, 0) == 0);
  assert_true(dot(&new_f16, SIM_GFX942, least, 0) == 0x1p-24f);
  assert_true(dot(&old_f16, SIM_GFX908, (const uint16_t[8]){0}, 0x1p-149f) == 0x1p-149f);
  assert_true(dot(&new_f16, SIM_GFX942, (const uint16_t[8]){0}, 0x1p-149f) == 0x1p-149f);
}

/* 2^15 - 2^15 + 2^-24: alignment to 2^15 cuts 2^-24 off, an exact sum keeps it. */
static void small_products_beside_large_ones(void **state) {
  (void)state;
  const uint16_t row[8] = {0x7800, 0xf800, 0x0001};
  assert_true(dot(&old_f16, SIM_GFX908, row, 0) == 0x1p-24f);
  assert_true(dot(&new_f16, SIM_GFX942, row, 0) == 0);
}

/* An accumulator far below the products is rounded down: -2^-30 becomes a whole unit of the last place. */
static void accumulators_round_down(void **state) {
  (void)state;
  const uint16_t row[8] = {0x3c00, 0xbc00, 0x0000};
  assert_true(dot(&new_f16, SIM_GFX942, row, -0x1p-30f) == -0x1p-24f);
  assert_true(dot(&new_f16, SIM_GFX942, row, 0x1p-30f) == 0);
  assert_true(dot(&old_f16, SIM_GFX908, row, -0x1p-30f) == -0x1p-30f);
}

static void infinities_and_nan(void **state) {
  (void)state;
  static const struct form *const forms[] = {&old_f16, &new_f16};
  for (unsigned i = 0; i < 2; i++) {
    enum sim_arch arch = i == 0 ? SIM_GFX908 : SIM_GFX942;
    const uint16_t up[8] = {0x7c00, 0x3c00}, both[8] = {0x7c00, 0xfc00}, nan[8] = {0x7e00}, one[8] = {0x3c00};
    assert_true(bits_of(dot(forms[i], arch, up, 1)) == 0x7f800000);
    assert_true(bits_of(dot(forms[i], arch, both, 1)) == 0x7fc00000);
    assert_true(bits_of(dot(forms[i], arch, nan, 1)) == 0x7fc00000);
    assert_true(bits_of(dot(forms[i], arch, one, float_of(0xff800000))) == 0xff800000);
    float quiet = dot(forms[i], arch, one, float_of(0x7fc00000));
    assert_true(quiet != quiet);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(subnormals_count),        cmocka_unit_test(small_products_beside_large_ones),
      cmocka_unit_test(accumulators_round_down), cmocka_unit_test(infinities_and_nan),
      cmocka_unit_test(gfx908_is_exact),         cmocka_unit_test(gfx942_aligns),
      cmocka_unit_test(gfx950_does_as_gfx942),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
