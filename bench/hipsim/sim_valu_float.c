/* Vector ALU on f32 and f16. Semantics: CDNA2 ISA guide, chapter "Instructions"; rounding is to nearest even. */
#include "bench/hipsim/sim_valu_functions.h"

/* ---- f32 on one lane ---- */

static inline float flush(float x) {
  return sim_as_f32(sim_flush_bits(sim_bits_f32(x)));
}

/* Unfused multiply-add: denormals are flushed whatever MODE says, and the product is rounded. */
static inline float mad(float a, float b, float c) {
  float product = flush(sim_product_f32(flush(a), flush(b)));
  return flush(sim_sum_f32(product, flush(c)));
}

static inline float legacy_product(float a, float b) {
  return (a == 0) | (b == 0) ? 0 : sim_product_f32(a, b);
}

static inline float median(float a, float b, float c, bool ieee) {
  float first = sim_extreme_f32(a, b, false, ieee), greatest = sim_extreme_f32(first, c, false, ieee);
  float without_a = sim_extreme_f32(b, c, false, ieee), without_b = sim_extreme_f32(a, c, false, ieee);
  float least = sim_extreme_f32(sim_extreme_f32(a, b, true, ieee), c, true, ieee);
  float of_bc = greatest == b ? without_b : first, middle = greatest == a ? without_a : of_bc;
  float of_a = a != a ? least : middle, of_b = b != b ? least : of_a;
  return c != c ? least : of_b;
}

static inline float fraction(float x) {
  float f = x - floorf(x), limit = 0x1.fffffep-1f; /* never 1 */
  return sim_nan1(x, f > limit ? limit : f);
}

static inline int exponent_of(float x) {
  int e = 0;
  if (isfinite(x))
    (void)frexpf(x, &e);
  return e;
}

static inline float mantissa_of(float x) {
  int e;
  return sim_nan1(x, isfinite(x) ? frexpf(x, &e) : x);
}

/* Arguments of v_sin and v_cos are in revolutions. */
static inline float sine(float x) {
  return fabsf(x) > 256.0f && !isinf(x) ? 0.0f : (float)sin(6.283185307179586 * (double)x);
}

static inline float cosine(float x) {
  return fabsf(x) > 256.0f && !isinf(x) ? 1.0f : (float)cos(6.283185307179586 * (double)x);
}

static inline int biased(float x) {
  return (int)(sim_bits_f32(x) >> 23 & 0xff);
}

/* v_div_scale: scales source 0, which is the denominator b or the numerator c, so that Newton's steps neither overflow
 * nor lose bits. *flag: one of the two alone was scaled, and v_div_fmas must scale the quotient back. */
static inline float scaled(float a, float b, float c, bool *flag) {
  float up = a * 0x1p64f, down = a * 0x1p-64f;
  bool inverse_denormal = fpclassify(1.0f / b) == FP_SUBNORMAL;
  bool quotient_denormal = fpclassify(c / b) == FP_SUBNORMAL;
  *flag = false;
  if (b == 0 || c == 0)
    return NAN;
  if (biased(c) - biased(b) >= 96) { /* near overflow */
    *flag = true;
    return a == b ? up : a;
  }
  if (biased(b) == 0)
    return up;
  if (quotient_denormal) {
    *flag = true;
    return inverse_denormal ? (a == b ? down : a) : a == c ? up : a;
  }
  if (inverse_denormal)
    return down;
  return biased(c) <= 23 ? up : a;
}

/* The special cases of a division: a is the quotient so far, b the denominator, c the numerator. Where the guides test
 * the denominator's exponent for an overflow, which earlier cases rule out, the quotient's must be meant: Newton's steps
 * make a NaN of one that overflows. wide: f32, whose exponent range this is about. */
static inline float fixed_up(float a, float b, float c, bool wide) {
  bool negative = (signbit(b) != 0) != (signbit(c) != 0);
  if (c != c)
    return sim_quiet_f32(c);
  if (b != b)
    return sim_quiet_f32(b);
  if ((b == 0 && c == 0) || (isinf(b) && isinf(c)))
    return sim_as_f32(0xffc00000);
  if (b == 0 || isinf(c))
    return negative ? -INFINITY : INFINITY;
  if (isinf(b) || c == 0 || biased(c) - biased(b) < -150)
    return negative ? -0.0f : 0.0f;
  if (wide && biased(a) == 255)
    return negative ? -INFINITY : INFINITY;
  return negative ? -fabsf(a) : fabsf(a);
}

/* ---- f32 ---- */

/* Expressions speak of the sources as a, b and c, and of MODE's IEEE bit as ieee. */
#define IEEE                                                                                                 \
  const bool ieee = (w->mode & SIM_MODE_IEEE) != 0;                                                          \
  (void)ieee;
#define F32_1(name, expression)                                                                              \
  SIM_DO(name) {                                                                                             \
    sim_lanes ra, room;                                                                                      \
    const sim_f32 *pa = sim_src_f32(w, inst, 0, ra);                                                         \
    sim_f32 *d = sim_begin_f32(w, inst, room);                                                               \
    LANES {                                                                                                  \
      float a = pa[l];                                                                                       \
      d[l] = (expression);                                                                                   \
    }                                                                                                        \
    sim_end(w, inst, d, room);                                                                               \
  }
#define LOOP2(expression)                                                                                    \
  LANES {                                                                                                    \
    float a = pa[l], b = pb[l];                                                                              \
    d[l] = (expression);                                                                                     \
  }
#define F32_2(name, expression)                                                                              \
  SIM_DO(name) {                                                                                             \
    sim_lanes ra, rb, room;                                                                                  \
    const sim_f32 *pa = sim_src_f32(w, inst, 0, ra), *pb = sim_src_f32(w, inst, 1, rb);                      \
    sim_f32 *d = sim_begin_f32(w, inst, room);                                                               \
    IEEE LOOP2(expression) sim_end(w, inst, d, room);                                                        \
  }
#define F32_3(name, expression)                                                                              \
  SIM_DO(name) {                                                                                             \
    sim_lanes ra, rb, rc, room;                                                                              \
    const sim_f32 *pa = sim_src_f32(w, inst, 0, ra), *pb = sim_src_f32(w, inst, 1, rb),                      \
                  *pc = sim_src_f32(w, inst, 2, rc);                                                         \
    sim_f32 *d = sim_begin_f32(w, inst, room);                                                               \
    IEEE LANES {                                                                                             \
      float a = pa[l], b = pb[l], c = pc[l];                                                                 \
      d[l] = (expression);                                                                                   \
    }                                                                                                        \
    sim_end(w, inst, d, room);                                                                               \
  }
/* The destination is the third source. */
#define F32_ACC(name, expression)                                                                            \
  SIM_DO(name) {                                                                                             \
    sim_lanes ra, rb, rc, room;                                                                              \
    const sim_f32 *pa = sim_src_f32(w, inst, 0, ra), *pb = sim_src_f32(w, inst, 1, rb);                      \
    const struct sim_inst acc = {.src = {inst->dst}};                                                        \
    const sim_f32 *pc = sim_src_f32(w, &acc, 0, rc);                                                         \
    sim_f32 *d = sim_begin_f32(w, inst, room);                                                               \
    LANES {                                                                                                  \
      float a = pa[l], b = pb[l], c = pc[l];                                                                 \
      d[l] = (expression);                                                                                   \
    }                                                                                                        \
    sim_end(w, inst, d, room);                                                                               \
  }

F32_2(v_add_f32, sim_sum_f32(a, b))
F32_2(v_sub_f32, sim_nan2(a, b, a - b))
F32_2(v_subrev_f32, sim_nan2(a, b, b - a))
F32_2(v_mul_f32, sim_product_f32(a, b))
F32_2(v_mul_legacy_f32, legacy_product(a, b))
F32_3(v_fma_f32, sim_fused_f32(a, b, c))
F32_3(v_fmamk_f32, sim_fused_f32(a, b, c))
F32_3(v_fmaak_f32, sim_fused_f32(a, b, c))
F32_3(v_mad_f32, mad(a, b, c))
F32_3(v_madmk_f32, mad(a, b, c))
F32_3(v_madak_f32, mad(a, b, c))
F32_3(v_mad_legacy_f32, flush(sim_sum_f32(flush(legacy_product(flush(a), flush(b))), flush(c))))
F32_ACC(v_fmac_f32, sim_fused_f32(a, b, c))
F32_ACC(v_mac_f32, mad(a, b, c))
F32_3(v_min3_f32, sim_extreme_f32(sim_extreme_f32(a, b, true, ieee), c, true, ieee))
F32_3(v_max3_f32, sim_extreme_f32(sim_extreme_f32(a, b, false, ieee), c, false, ieee))
F32_1(v_trunc_f32, sim_nan1(a, truncf(a)))
F32_1(v_ceil_f32, sim_nan1(a, ceilf(a)))
F32_1(v_rndne_f32, sim_nan1(a, rintf(a)))
F32_1(v_floor_f32, sim_nan1(a, floorf(a)))
F32_1(v_fract_f32, fraction(a))
/* Numbers in the order of integers, -0 below 0; back by the same. */
static inline int32_t in_order(int32_t bits) {
  return bits ^ (int32_t)(sim_sign_mask((uint32_t)bits) >> 1);
}

static inline int32_t larger(int32_t x, int32_t y) {
  return x > y ? x : y;
}

/* Whether the greatest of some numbers equals one of them: zeros of both signs are equal. */
static inline bool equals(int32_t greatest, int32_t x) {
  int32_t same = greatest == 0 && x == -1 ? 0 : x;
  return greatest == same;
}

static inline int32_t median_in_order(int32_t x, int32_t y, int32_t z) {
  int32_t first = larger(x, y), greatest = larger(first, z);
  int32_t without_y = equals(greatest, y) ? larger(x, z) : first;
  return equals(greatest, x) ? larger(y, z) : without_y;
}

/* Choices among numbers x, y, z in order; when a lane has a NaN, all lanes go the long way. */
#define CHOICE_F32(name, count, number, general)                                                             \
  SIM_DO(name) {                                                                                             \
    sim_lanes ra, rb, rc, room;                                                                              \
    sim_i32 result[SIM_LANES] __attribute__((aligned(64)));                                                  \
    const sim_f32 *pa = sim_src_f32(w, inst, 0, ra), *pb = sim_src_f32(w, inst, 1, rb),                      \
                  *pc = count > 2 ? sim_src_f32(w, inst, 2, rc) : pb;                                        \
    sim_f32 *d = sim_begin_f32(w, inst, room);                                                               \
    int32_t most = 0;                                                                                        \
    IEEE LANES {                                                                                             \
      int32_t a = (int32_t)sim_bits_f32(pa[l]), b = (int32_t)sim_bits_f32(pb[l]),                            \
              c = (int32_t)sim_bits_f32(pc[l]);                                                              \
      int32_t x = in_order(a), y = in_order(b), z = in_order(c);                                             \
      (void)z;                                                                                               \
      most = larger(larger(most, a & 0x7fffffff), larger(b & 0x7fffffff, c & 0x7fffffff));                   \
      result[l] = in_order(number);                                                                          \
    }                                                                                                        \
    if (most > 0x7f800000)                                                                                   \
      LANES {                                                                                                \
        float a = pa[l], b = pb[l], c = pc[l];                                                               \
        (void)c;                                                                                             \
        result[l] = (int32_t)sim_bits_f32(general);                                                          \
      }                                                                                                      \
    memcpy(d, result, sizeof result);                                                                        \
    sim_end(w, inst, d, room);                                                                               \
  }
CHOICE_F32(v_min_f32, 2, x < y ? x : y, sim_extreme_f32(a, b, true, ieee))
CHOICE_F32(v_max_f32, 2, larger(x, y), sim_extreme_f32(a, b, false, ieee))
CHOICE_F32(v_med3_f32, 3, median_in_order(x, y, z), median(a, b, c, ieee))
/* Transcendentals know no denormals (AMDGPU back end of LLVM: it scales around them). The device's results are
 * within 1 ulp; these are rounded, or nearly so. */
F32_1(v_rcp_f32, flush(1.0f / flush(a)))
F32_1(v_rcp_iflag_f32, flush(1.0f / flush(a)))
F32_1(v_rsq_f32, flush(1.0f / sqrtf(flush(a))))
F32_1(v_sqrt_f32, sqrtf(flush(a)))
F32_1(v_exp_f32, flush(sim_exp2(flush(a))))
F32_1(v_log_f32, sim_log2(flush(a)))
F32_1(v_sin_f32, sine(flush(a)))
F32_1(v_cos_f32, cosine(flush(a)))
F32_1(v_frexp_mant_f32, mantissa_of(a))
F32_3(v_div_fixup_f32, fixed_up(a, b, c, true))

SIM_DO(v_frexp_exp_i32_f32) {
  sim_lanes ra, room;
  const sim_f32 *pa = sim_src_f32(w, inst, 0, ra);
  uint32_t *d = sim_begin(w, inst, room);
  for (unsigned l = 0; l < SIM_LANES; l++)
    d[l] = (uint32_t)exponent_of(pa[l]);
  sim_end(w, inst, d, room);
}

SIM_DO(v_ldexp_f32) {
  sim_lanes ra, rb, room;
  const sim_f32 *pa = sim_src_f32(w, inst, 0, ra);
  const uint32_t *pb = sim_src(w, inst, 1, rb);
  sim_f32 *d = sim_begin_f32(w, inst, room);
  for (unsigned l = 0; l < SIM_LANES; l++)
    d[l] = ldexpf(pa[l], (int32_t)pb[l]);
  sim_end(w, inst, d, room);
}

SIM_DO(v_div_scale_f32) {
  sim_lanes ra, rb, rc, room, flags;
  const sim_f32 *pa = sim_src_f32(w, inst, 0, ra), *pb = sim_src_f32(w, inst, 1, rb),
                *pc = sim_src_f32(w, inst, 2, rc);
  sim_f32 *d = sim_begin_f32(w, inst, room);
  for (unsigned l = 0; l < SIM_LANES; l++) {
    bool flag;
    d[l] = scaled(pa[l], pb[l], pc[l], &flag);
    flags[l] = flag ? UINT32_MAX : 0;
  }
  sim_end(w, inst, d, room);
  sim_write_s64(w, inst->sdst, sim_mask_of(flags) & sim_exec(w));
}

/* a * b + c times 2^power, rounded once: a quotient may be denormal. The product is exact in f64; the sum is rounded to
 * odd there, so that the rounding to f32 sees what was lost. */
static float fma_scaled(float a, float b, float c, int power) {
  if (!isfinite(a) || !isfinite(b) || !isfinite(c))
    return sim_fused_f32(a, b, c);
  double product = (double)a * (double)b, sum = product + (double)c, part = sum - product;
  double error = (product - (sum - part)) + ((double)c - part);
  uint64_t bits = sim_bits_f64(sum);
  if (error != 0 && !(bits & 1))
    bits += (error > 0) == (sum > 0) ? 1 : UINT64_MAX;
  return (float)ldexp(sim_as_f64(bits), power);
}

/* Scales back what v_div_scale scaled: up when the addend is large. (The guides name a power of two that does not undo
 * v_div_scale's, and no direction; this is what makes quotients right.) */
SIM_DO(v_div_fmas_f32) {
  sim_lanes ra, rb, rc, room;
  const sim_f32 *pa = sim_src_f32(w, inst, 0, ra), *pb = sim_src_f32(w, inst, 1, rb),
                *pc = sim_src_f32(w, inst, 2, rc);
  sim_f32 *d = sim_begin_f32(w, inst, room);
  uint64_t vcc = sim_read_s64(w, SIM_VCC_LO);
  for (unsigned l = 0; l < SIM_LANES; l++) {
    float a = pa[l], b = pb[l], c = pc[l];
    d[l] = vcc >> l & 1 ? fma_scaled(a, b, c, biased(c) > 127 ? 64 : -64) : sim_fused_f32(a, b, c);
  }
  sim_end(w, inst, d, room);
}

/* ---- f16 ---- */

/* Sources as f32, from which they are rounded back: products and sums of f16 are exact or innocuously rounded in f32. */
static inline const sim_f32 *widened(const struct sim_wave *w, const struct sim_inst *inst, unsigned i,
                                     uint32_t *room) {
  const uint32_t *s = sim_src_f16(w, inst, i, room);
  sim_widen(s, room);
  return sim_const_floats(room);
}

#define F16_END                                                                                              \
  sim_narrow(result, d);                                                                                     \
  sim_end(w, inst, d, room);
#define F16_1(name, expression)                                                                              \
  SIM_DO(name) {                                                                                             \
    sim_lanes ra, room, result;                                                                              \
    const sim_f32 *pa = widened(w, inst, 0, ra);                                                             \
    uint32_t *d = sim_begin(w, inst, room);                                                                  \
    LANES {                                                                                                  \
      float a = pa[l];                                                                                       \
      result[l] = sim_bits_f32(expression);                                                                  \
    }                                                                                                        \
    F16_END                                                                                                  \
  }
#define F16_2(name, expression)                                                                              \
  SIM_DO(name) {                                                                                             \
    sim_lanes ra, rb, room, result;                                                                          \
    const sim_f32 *pa = widened(w, inst, 0, ra), *pb = widened(w, inst, 1, rb);                              \
    uint32_t *d = sim_begin(w, inst, room);                                                                  \
    LANES {                                                                                                  \
      float a = pa[l], b = pb[l];                                                                            \
      result[l] = sim_bits_f32(expression);                                                                  \
    }                                                                                                        \
    F16_END                                                                                                  \
  }
#define F16_3(name, expression)                                                                              \
  SIM_DO(name) {                                                                                             \
    sim_lanes ra, rb, rc, room, result;                                                                      \
    const sim_f32 *pa = widened(w, inst, 0, ra), *pb = widened(w, inst, 1, rb),                              \
                  *pc = widened(w, inst, 2, rc);                                                             \
    uint32_t *d = sim_begin(w, inst, room);                                                                  \
    LANES {                                                                                                  \
      float a = pa[l], b = pb[l], c = pc[l];                                                                 \
      result[l] = sim_bits_f32(expression);                                                                  \
    }                                                                                                        \
    F16_END                                                                                                  \
  }

F16_2(v_add_f16, sim_sum_f32(a, b))
F16_2(v_sub_f16, sim_nan2(a, b, a - b))
F16_2(v_subrev_f16, sim_nan2(a, b, b - a))
F16_2(v_mul_f16, sim_product_f32(a, b))
F16_3(v_fma_f16, sim_nan3(a, b, c, sim_fma_f16(a, b, c)))
F16_3(v_fma_legacy_f16, sim_nan3(a, b, c, sim_fma_f16(a, b, c)))
F16_3(v_div_fixup_f16, fixed_up(a, b, c, false))
F16_3(v_div_fixup_legacy_f16, fixed_up(a, b, c, false))
F16_1(v_rcp_f16, 1.0f / a)
F16_1(v_sqrt_f16, sqrtf(a))
F16_1(v_rsq_f16, 1.0f / sqrtf(a))
F16_1(v_log_f16, sim_log2(a))
F16_1(v_exp_f16, sim_exp2(a))
F16_1(v_sin_f16, sine(a))
F16_1(v_cos_f16, cosine(a))
F16_1(v_floor_f16, sim_nan1(a, floorf(a)))
F16_1(v_ceil_f16, sim_nan1(a, ceilf(a)))
F16_1(v_trunc_f16, sim_nan1(a, truncf(a)))
F16_1(v_rndne_f16, sim_nan1(a, rintf(a)))
F16_1(v_fract_f16, a - floorf(a) > 0x1.ffcp-1f ? 0x1.ffcp-1f : a - floorf(a))
F16_1(v_frexp_mant_f16, mantissa_of(a))

/* Choices among the sources, by their bits. */
#define EXTREME_F16(name, least)                                                                             \
  SIM_DO(name) {                                                                                             \
    sim_lanes ra, rb, room;                                                                                  \
    const uint32_t *pa = sim_src_f16(w, inst, 0, ra), *pb = sim_src_f16(w, inst, 1, rb);                     \
    uint32_t *d = sim_begin(w, inst, room);                                                                  \
    IEEE LANES d[l] = sim_extreme_f16(pa[l], pb[l], least, ieee);                                            \
    sim_end(w, inst, d, room);                                                                               \
  }
EXTREME_F16(v_min_f16, true)
EXTREME_F16(v_max_f16, false)

static inline uint32_t extreme3(uint32_t a, uint32_t b, uint32_t c, bool least, bool ieee) {
  return sim_extreme_f16(sim_extreme_f16(a, b, least, ieee), c, least, ieee);
}

static inline bool is_nan_f16(uint32_t bits) {
  return (bits & 0x7fff) > 0x7c00;
}

static inline uint32_t median_f16(uint32_t a, uint32_t b, uint32_t c, bool ieee) {
  /* as f32 these keep order and equality, and zeros of both signs are equal */
  float x = sim_f16_to_f32(a), y = sim_f16_to_f32(b), z = sim_f16_to_f32(c);
  float greatest = sim_extreme_f32(sim_extreme_f32(x, y, false, false), z, false, false);
  uint32_t of_bc = greatest == y ? sim_extreme_f16(a, c, false, ieee) : sim_extreme_f16(a, b, false, ieee);
  uint32_t middle = greatest == x ? sim_extreme_f16(b, c, false, ieee) : of_bc;
  return is_nan_f16(a) || is_nan_f16(b) || is_nan_f16(c) ? extreme3(a, b, c, true, ieee) : middle;
}

#define CHOICE3_F16(name, expression)                                                                        \
  SIM_DO(name) {                                                                                             \
    sim_lanes ra, rb, rc, room;                                                                              \
    const uint32_t *pa = sim_src_f16(w, inst, 0, ra), *pb = sim_src_f16(w, inst, 1, rb),                     \
                   *pc = sim_src_f16(w, inst, 2, rc);                                                        \
    uint32_t *d = sim_begin(w, inst, room);                                                                  \
    IEEE LANES {                                                                                             \
      uint32_t a = pa[l], b = pb[l], c = pc[l];                                                              \
      d[l] = (expression);                                                                                   \
    }                                                                                                        \
    sim_end(w, inst, d, room);                                                                               \
  }
CHOICE3_F16(v_min3_f16, extreme3(a, b, c, true, ieee))
CHOICE3_F16(v_max3_f16, extreme3(a, b, c, false, ieee))
CHOICE3_F16(v_med3_f16, median_f16(a, b, c, ieee))

/* The unfused multiply-add, whose product is rounded to f16, and flushed when MODE says so. result may be pc. */
static void mad_f16(const struct sim_wave *w, const sim_f32 *pa, const sim_f32 *pb, const sim_f32 *pc,
                    uint32_t *result) {
  sim_lanes product;
  sim_f32 *p = sim_floats(product), *r = sim_floats(result);
  LANES
  p[l] = sim_product_f32(pa[l], pb[l]);
  sim_narrow(product, product);
  if (!(w->mode & SIM_MODE_F16_OUT))
    LANES
  product[l] = sim_flush_f16(product[l]);
  sim_widen(product, product);
  LANES
  r[l] = sim_sum_f32(p[l], pc[l]);
  sim_narrow(result, result);
}

#define MAD_F16(name)                                                                                        \
  SIM_DO(name) {                                                                                             \
    sim_lanes ra, rb, rc;                                                                                    \
    const sim_f32 *pa = widened(w, inst, 0, ra), *pb = widened(w, inst, 1, rb);                              \
    mad_f16(w, pa, pb, widened(w, inst, 2, rc), rc);                                                         \
    SIM_NAME(sim_store)(w, inst, rc);                                                                        \
  }
MAD_F16(v_mad_f16)
MAD_F16(v_mad_legacy_f16)
MAD_F16(v_madmk_f16)
MAD_F16(v_madak_f16)

SIM_DO(v_mac_f16) {
  sim_lanes ra, rb, rc;
  const struct sim_inst acc = {.src = {inst->dst}};
  const sim_f32 *pa = widened(w, inst, 0, ra), *pb = widened(w, inst, 1, rb);
  mad_f16(w, pa, pb, widened(w, &acc, 0, rc), rc);
  SIM_NAME(sim_store)(w, inst, rc);
}

SIM_DO(v_ldexp_f16) {
  sim_lanes ra, rb, room, result;
  const sim_f32 *pa = widened(w, inst, 0, ra);
  const uint32_t *pb = sim_src(w, inst, 1, rb);
  uint32_t *d = sim_begin(w, inst, room);
  for (unsigned l = 0; l < SIM_LANES; l++)
    result[l] = sim_bits_f32(ldexpf(pa[l], (int16_t)pb[l]));
  F16_END
}

SIM_DO(v_frexp_exp_i16_f16) {
  sim_lanes ra, room;
  const sim_f32 *pa = widened(w, inst, 0, ra);
  uint32_t *d = sim_begin(w, inst, room);
  for (unsigned l = 0; l < SIM_LANES; l++)
    d[l] = (uint32_t)exponent_of(pa[l]);
  sim_end(w, inst, d, room);
}
