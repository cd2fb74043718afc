/* MFMA on f16, bf16 and xf32 as gfx942 computes it (MMA-Sim, arXiv 2511.10909); gfx950 is taken to do the same, which
 * nobody has shown.
 *
 * Eight products (xf32: four) are taken together, or all there are. Each is aligned to the largest exponent among them
 * (exponents of the factors added, so that a significand lies below 4) and cut off, towards zero, at 24 bits of fraction.
 * Their sum is aligned to the larger of that exponent and the accumulator's, and cut off at 31 bits of fraction, towards
 * minus infinity; the accumulator likewise, at 24. The sum of the two is rounded to f32, to the nearest, ties to even.
 * Subnormals are kept; a zero has no exponent; xf32 inputs lose all but 10 bits of their fractions. */
#include "bench/hipsim/sim_mfma_lanes.h"

enum {
  FRACTION = 24,
  SUM_FRACTION = 31,
  NO_EXPONENT = -400, /* of zero: below all others, and within f64's range with any of them */
  /* Exponents of products that f32 arithmetic can align: the product is normal, and so is the scale. */
  LEAST_QUICK = -100,
  MOST_QUICK = 120,
};

/* Element k's exponent for every lane. */
typedef int32_t exponents[MAX_K][SIM_LANES] __attribute__((aligned(64)));

/* ---- exponents ---- */

static int least_exponent(enum kind kind) {
  return kind == F16 ? -14 : -126;
}

static inline int32_t exponent_of(float x, int32_t least) {
  uint32_t magnitude = sim_bits_of(x) & 0x7fffffffu;
  int32_t exponent = (int32_t)(magnitude >> 23) - 127;
  exponent = exponent < least ? least : exponent;
  return magnitude == 0 ? NO_EXPONENT : exponent;
}

static void find_exponents(exponents to, const operand from, unsigned k, int32_t least) {
  for (unsigned i = 0; i < k; i++)
    for (unsigned lane = 0; lane < SIM_LANES; lane++)
      to[i][lane] = exponent_of(from[i][lane], least);
}

/* ---- the accumulator joins ---- */

/* Rounds down a number of less than 51 bits. */
static inline double round_down(double x) {
  double nearest = (x + 0x1.8p52) - 0x1.8p52;
  return nearest - (nearest > x ? 1.0 : 0.0);
}

static inline double power_of_two(int64_t exponent) {
  int64_t bits = (exponent + 1023) << 52;
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* sum * 2^(exponent-24) + c. */
static inline float accumulate(int32_t sum, int32_t exponent, float c) {
  int32_t own = exponent_of(c, -126), most = own > exponent ? own : exponent;
  double products =
      round_down((double)sum * power_of_two((int64_t)exponent - most + SUM_FRACTION - FRACTION));
  double addend = round_down((double)c * power_of_two(FRACTION - (int64_t)most));
  double total = products + addend * (double)(1 << (SUM_FRACTION - FRACTION));
  float result = (float)(total * power_of_two((int64_t)most - SUM_FRACTION));
  bool special = (sim_bits_of(c) & 0x7f800000u) == 0x7f800000u;
  return special ? c + 0.0f : result;
}

/* ---- quickly: eight, four or two products of a vector of lanes, in f32 ---- */

SIM_ALWAYS ivector truncated(vector v) {
#if defined(__AVX512F__)
  return (ivector)_mm512_cvttps_epi32((__m512)v);
#elif defined(__AVX2__)
  return (ivector)_mm256_cvttps_epi32((__m256)v);
#else
  return (ivector)_mm_cvttps_epi32((__m128)v);
#endif
}

SIM_ALWAYS ivector load_integers(const void *from) {
  ivector v;
  memcpy(&v, from, sizeof v);
  return v;
}

SIM_ALWAYS ivector larger(ivector a, ivector b) {
#if defined(__AVX512F__)
  return (ivector)_mm512_max_epi32((__m512i)a, (__m512i)b);
#elif defined(__AVX2__)
  return (ivector)_mm256_max_epi32((__m256i)a, (__m256i)b);
#else
  ivector first = a > b;
  return (a & first) | (b & ~first);
#endif
}

struct terms {
  operand a, b;
  exponents ea, eb;
};

/* Sums of `count` products from element `first` on, in units of 2^(exponent-24). */
SIM_ALWAYS void align_and_add(const struct terms *t, unsigned first, unsigned count, int32_t *sums,
                              int32_t *largest) {
  for (unsigned lane = 0; lane < SIM_LANES; lane += WIDTH) {
    ivector most = (ivector){0} + 2 * NO_EXPONENT, sum = {0};
#pragma GCC unroll 8
    for (unsigned k = first; k < first + count; k++)
      most = larger(most, load_integers(&t->ea[k][lane]) + load_integers(&t->eb[k][lane]));
    ivector bounded = larger(most, (ivector){0} + LEAST_QUICK);
    vector scale = (vector)((FRACTION + 127 - bounded) << 23);
#pragma GCC unroll 8
    for (unsigned k = first; k < first + count; k++)
      sum += truncated(load_vector(&t->a[k][lane]) * load_vector(&t->b[k][lane]) * scale);
    most = larger(most, (ivector){0} + NO_EXPONENT);
    memcpy(&sums[lane], &sum, sizeof sum);
    memcpy(&largest[lane], &most, sizeof most);
  }
}

static void add_group(const struct terms *t, unsigned first, unsigned count, float c[SIM_LANES]) {
  int32_t sums[SIM_LANES] __attribute__((aligned(64))), largest[SIM_LANES] __attribute__((aligned(64)));
  if (count == 8)
    align_and_add(t, first, 8, sums, largest);
  else
    align_and_add(t, first, 4, sums, largest);
#pragma GCC ivdep
  for (unsigned lane = 0; lane < SIM_LANES; lane++)
    c[lane] = accumulate(sums[lane], largest[lane], c[lane]);
}

/* ---- slowly: one lane, with whatever numbers ---- */

static int64_t significand_of(float x) {
  uint32_t bits = sim_bits_of(x);
  int64_t magnitude = (bits & 0x7fffffu) | ((bits & 0x7f800000u) != 0 ? 0x800000u : 0u);
  return bits >> 31 ? -magnitude : magnitude;
}

/* The product in units of 2^(most-24). The significand of an f32 has 23 bits of fraction; that of a subnormal f16,
 * here a normal f32, has its exponent's distance more. */
static int64_t aligned_product(const struct terms *t, unsigned k, unsigned lane, int most) {
  float a = t->a[k][lane], b = t->b[k][lane];
  if (a == 0 || b == 0)
    return 0;
  int scale = exponent_of(a, -126) + exponent_of(b, -126) - 46;
  int shift = most - FRACTION - scale;
  int64_t product = significand_of(a) * significand_of(b);
  int64_t magnitude = product < 0 ? -product : product;
  magnitude = shift > 62 ? 0 : shift >= 0 ? magnitude >> shift : magnitude << -shift;
  return product < 0 ? -magnitude : magnitude;
}

static float add_slowly(const struct terms *t, unsigned first, unsigned count, unsigned lane, float c) {
  int most = NO_EXPONENT;
  double plain = (double)c;
  int64_t sum = 0;
  for (unsigned k = first; k < first + count; k++) {
    int exponent = t->ea[k][lane] + t->eb[k][lane];
    most = exponent > most ? exponent : most;
    plain += (double)t->a[k][lane] * (double)t->b[k][lane];
  }
  if (plain != plain || plain - plain != 0) /* the products and sums of finite f32 are finite in f64 */
    return plain == plain ? (float)plain : sim_float_of(0x7fc00000);
  for (unsigned k = first; k < first + count; k++)
    sum += aligned_product(t, k, lane, most);
  return accumulate((int32_t)sum, most, c);
}

/* ---- all of it ---- */

/* Every product is finite, and aligned in f32 as it should be. */
static bool is_quick(const input a, const input b, const struct shape *s) {
  int32_t low[2] = {1000, 1000}, high[2] = {-1000, -1000}, least = least_exponent(s->kind);
  for (unsigned e = 0; e < s->per_lane; e++)
    for (unsigned lane = 0; lane < SIM_LANES; lane++)
      for (unsigned i = 0; i < 2; i++) {
        int32_t exponent = exponent_of(i == 0 ? a[e][lane] : b[e][lane], least);
        low[i] = exponent != NO_EXPONENT && exponent < low[i] ? exponent : low[i];
        high[i] = exponent > high[i] ? exponent : high[i];
      }
  return high[0] < 128 && high[1] < 128 && high[0] + high[1] <= MOST_QUICK && low[0] + low[1] >= LEAST_QUICK;
}

static void truncate_to_xf32(input x, unsigned per_lane) {
  bits32 *bits = (bits32 *)(void *)x;
  for (unsigned i = 0; i < per_lane * SIM_LANES; i++)
    bits[i] &= 0xffffe000u;
}

static void read_inputs(const struct sim_wave *w, const struct sim_inst *inst, const struct shape *s, input a,
                        input b) {
  read_input(a, sim_vector(w, inst->src[0]), s->per_lane, s->kind, false);
  read_input(b, sim_vector(w, inst->src[1]), s->per_lane, s->kind, false);
  permute_input(b, s->per_lane, inst->lane_ctl >> 16 & 7u);
  if (s->kind == XF32) {
    truncate_to_xf32(a, s->per_lane);
    truncate_to_xf32(b, s->per_lane);
  }
}

void SIM_NAME(sim_mfma_aligned)(struct sim_wave *w, const struct sim_inst *inst, const struct shape *s) {
  input a, b;
  sim_vreg spare[32];
  struct terms t;
  unsigned registers = registers_of(s), most = s->kind == XF32 ? 4 : 8, count = s->k < most ? s->k : most;
  read_inputs(w, inst, s, a, b);
  bool quick = is_quick(a, b, s);
  const sim_vreg *c = read_accumulator(w, inst, spare, registers * steps_of(s));
  sim_vreg *d = sim_vector(w, inst->dst);
  for (unsigned step = 0; step < steps_of(s); step++) {
    spread_b(s, b, step, t.b);
    find_exponents(t.eb, t.b, s->k, least_exponent(s->kind));
    for (unsigned r = 0; r < registers; r++) {
      float sum[SIM_LANES] __attribute__((aligned(64)));
      memcpy(sum, c[registers * step + r], sizeof sum);
      spread_a(s, inst, a, step, r, t.a);
      find_exponents(t.ea, t.a, s->k, least_exponent(s->kind));
      for (unsigned k = 0; k < s->k; k += count) {
        if (quick)
          add_group(&t, k, count, sum);
        for (unsigned lane = 0; lane < SIM_LANES && !quick; lane++)
          sum[lane] = add_slowly(&t, k, count, lane, sum[lane]);
      }
      memcpy(d[registers * step + r], sum, sizeof sum);
    }
  }
}
