/* Vector ALU on f32 and f16. Semantics: CDNA2 ISA guide, chapter "Instructions"; rounding is to nearest even. */
#include "bench/hipsim/sim_valu.h"

/* ---- f32 on one lane ---- */

static inline bool signalling(uint32_t bits) {
  return (bits & 0x7fffffff) - 0x7f800001u < 0x3fffffu;
}

/* min and max of the ISA: a number wins over a NaN, -0 is less than +0. */
static inline float min_f32(float a, float b) {
  float ordered = a < b ? a : b;
  float zero_aware = a == b ? sim_as_f32(sim_bits_f32(a) | sim_bits_f32(b)) : ordered;
  return b != b ? a : zero_aware;
}

static inline float max_f32(float a, float b) {
  float ordered = a > b ? a : b;
  float zero_aware = a == b ? sim_as_f32(sim_bits_f32(a) & sim_bits_f32(b)) : ordered;
  return b != b ? a : zero_aware;
}

/* In IEEE mode a signalling NaN comes out quiet instead. */
static inline float quieting(float a, float b, float result) {
  uint32_t x = sim_bits_f32(a), y = sim_bits_f32(b), r = sim_bits_f32(result);
  r = signalling(y) ? y | 0x00400000 : r;
  return sim_as_f32(signalling(x) ? x | 0x00400000 : r);
}

static inline float flush(float x) {
  return sim_as_f32(sim_flush_bits(sim_bits_f32(x)));
}

/* Unfused multiply-add: denormals are flushed whatever MODE says, and the product is rounded. */
static inline float mad(float a, float b, float c) {
  float product = flush(flush(a) * flush(b));
  return flush(product + flush(c));
}

static inline float legacy_product(float a, float b) {
  return a == 0 || b == 0 ? 0 : a * b;
}

static inline float median(float a, float b, float c) {
  if (a != a || b != b || c != c)
    return min_f32(min_f32(a, b), c);
  return max_f32(min_f32(a, b), min_f32(max_f32(a, b), c));
}

static inline float fraction(float x) {
  float f = x - floorf(x); /* never 1 */
  float limit = 0x1.fffffep-1f;
  return f < limit || f != f ? f : limit;
}

static inline int exponent_of(float x) {
  int e = 0;
  if (isfinite(x))
    (void)frexpf(x, &e);
  return e;
}

static inline float mantissa_of(float x) {
  int e;
  return isfinite(x) ? frexpf(x, &e) : x;
}

/* Arguments of v_sin and v_cos are in revolutions. */
static inline float sine(float x) {
  return fabsf(x) > 256.0f ? 0.0f : (float)sin(6.283185307179586 * (double)x);
}

static inline float cosine(float x) {
  return fabsf(x) > 256.0f ? 1.0f : (float)cos(6.283185307179586 * (double)x);
}

static inline int biased(float x) {
  return (int)(sim_bits_f32(x) >> 23 & 0xff);
}

static inline float quiet(float x) {
  return sim_as_f32(sim_bits_f32(x) | 0x00400000);
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

/* The special cases of a division: a is the quotient so far, b the denominator, c the numerator. */
static inline float fixed_up(float a, float b, float c) {
  bool negative = (signbit(b) != 0) != (signbit(c) != 0);
  if (c != c)
    return quiet(c);
  if (b != b)
    return quiet(b);
  if ((b == 0 && c == 0) || (isinf(b) && isinf(c)))
    return sim_as_f32(0xffc00000);
  if (b == 0 || isinf(c))
    return negative ? -INFINITY : INFINITY;
  if (isinf(b) || c == 0 || biased(c) - biased(b) < -150)
    return negative ? -0.0f : 0.0f;
  return negative ? -fabsf(a) : fabsf(a);
}

/* ---- f32 ---- */

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
    LOOP2(expression)                                                                                        \
    sim_end(w, inst, d, room);                                                                               \
  }
/* One loop for each IEEE mode. */
#define F32_2_IEEE(name, expression)                                                                         \
  SIM_DO(name) {                                                                                             \
    sim_lanes ra, rb, room;                                                                                  \
    const sim_f32 *pa = sim_src_f32(w, inst, 0, ra), *pb = sim_src_f32(w, inst, 1, rb);                      \
    sim_f32 *d = sim_begin_f32(w, inst, room);                                                               \
    if (w->mode & SIM_MODE_IEEE)                                                                             \
      LOOP2(quieting(a, b, (expression)))                                                                    \
    else                                                                                                     \
      LOOP2(expression)                                                                                      \
    sim_end(w, inst, d, room);                                                                               \
  }
#define F32_3(name, expression)                                                                              \
  SIM_DO(name) {                                                                                             \
    sim_lanes ra, rb, rc, room;                                                                              \
    const sim_f32 *pa = sim_src_f32(w, inst, 0, ra), *pb = sim_src_f32(w, inst, 1, rb),                      \
                  *pc = sim_src_f32(w, inst, 2, rc);                                                         \
    sim_f32 *d = sim_begin_f32(w, inst, room);                                                               \
    LANES {                                                                                                  \
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

F32_2(v_add_f32, a + b)
F32_2(v_sub_f32, a - b)
F32_2(v_subrev_f32, b - a)
F32_2(v_mul_f32, a *b)
F32_2(v_mul_legacy_f32, legacy_product(a, b))
F32_2_IEEE(v_min_f32, min_f32(a, b))
F32_2_IEEE(v_max_f32, max_f32(a, b))
F32_3(v_fma_f32, fmaf(a, b, c))
F32_3(v_fmamk_f32, fmaf(a, b, c))
F32_3(v_fmaak_f32, fmaf(a, b, c))
F32_3(v_mad_f32, mad(a, b, c))
F32_3(v_madmk_f32, mad(a, b, c))
F32_3(v_madak_f32, mad(a, b, c))
F32_3(v_mad_legacy_f32, flush(flush(legacy_product(flush(a), flush(b))) + flush(c)))
F32_ACC(v_fmac_f32, fmaf(a, b, c))
F32_ACC(v_mac_f32, mad(a, b, c))
F32_3(v_min3_f32, min_f32(min_f32(a, b), c))
F32_3(v_max3_f32, max_f32(max_f32(a, b), c))
F32_3(v_med3_f32, median(a, b, c))
F32_1(v_trunc_f32, truncf(a))
F32_1(v_ceil_f32, ceilf(a))
F32_1(v_rndne_f32, rintf(a))
F32_1(v_floor_f32, floorf(a))
F32_1(v_fract_f32, fraction(a))
/* Transcendentals know no denormals (AMDGPU back end of LLVM: it scales around them). The device's results are
 * within 1 ulp; these are rounded. */
F32_1(v_rcp_f32, flush(1.0f / flush(a)))
F32_1(v_rcp_iflag_f32, flush(1.0f / flush(a)))
F32_1(v_rsq_f32, flush(1.0f / sqrtf(flush(a))))
F32_1(v_sqrt_f32, sqrtf(flush(a)))
F32_1(v_exp_f32, flush(exp2f(flush(a))))
F32_1(v_log_f32, log2f(flush(a)))
F32_1(v_sin_f32, sine(flush(a)))
F32_1(v_cos_f32, cosine(flush(a)))
F32_1(v_frexp_mant_f32, mantissa_of(a))
F32_3(v_div_fixup_f32, fixed_up(a, b, c))

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

SIM_DO(v_div_fmas_f32) {
  sim_lanes ra, rb, rc, room;
  const sim_f32 *pa = sim_src_f32(w, inst, 0, ra), *pb = sim_src_f32(w, inst, 1, rb),
                *pc = sim_src_f32(w, inst, 2, rc);
  sim_f32 *d = sim_begin_f32(w, inst, room);
  uint64_t vcc = sim_read_s64(w, SIM_VCC_LO);
  for (unsigned l = 0; l < SIM_LANES; l++) {
    float c = pc[l], quotient = fmaf(pa[l], pb[l], c);
    float back = biased(c) > 127 ? 0x1p64f : 0x1p-64f;
    d[l] = vcc >> l & 1 ? quotient * back : quotient;
  }
  sim_end(w, inst, d, room);
}

/* ---- f16 ---- */

/* A lane's f16 as f32, flushed when MODE says so. */
static inline float half_in(uint32_t bits, bool keep) {
  return sim_f16_to_f32(keep || bits & 0x7c00 ? bits : bits & 0x8000);
}

/* Products and sums of f16 are exact or innocuously rounded in f32, so that rounding to f16 gives the f16
 * operation's result. */
static inline uint32_t half_out(float x) {
  return sim_f32_to_f16(x);
}

#define F16_BEGIN bool keep = (w->mode & SIM_MODE_F16_IN) != 0;
#define F16_1(name, expression)                                                                              \
  SIM_DO(name) {                                                                                             \
    sim_lanes ra, room;                                                                                      \
    const uint32_t *pa = sim_src(w, inst, 0, ra);                                                            \
    uint32_t *d = sim_begin(w, inst, room);                                                                  \
    F16_BEGIN                                                                                                \
    LANES {                                                                                                  \
      float a = half_in(pa[l], keep);                                                                        \
      d[l] = half_out(expression);                                                                           \
    }                                                                                                        \
    sim_end(w, inst, d, room);                                                                               \
  }
#define F16_2(name, expression)                                                                              \
  SIM_DO(name) {                                                                                             \
    sim_lanes ra, rb, room;                                                                                  \
    const uint32_t *pa = sim_src(w, inst, 0, ra), *pb = sim_src(w, inst, 1, rb);                             \
    uint32_t *d = sim_begin(w, inst, room);                                                                  \
    F16_BEGIN                                                                                                \
    LANES {                                                                                                  \
      float a = half_in(pa[l], keep), b = half_in(pb[l], keep);                                              \
      d[l] = half_out(expression);                                                                           \
    }                                                                                                        \
    sim_end(w, inst, d, room);                                                                               \
  }
#define F16_3(name, expression)                                                                              \
  SIM_DO(name) {                                                                                             \
    sim_lanes ra, rb, rc, room;                                                                              \
    const uint32_t *pa = sim_src(w, inst, 0, ra), *pb = sim_src(w, inst, 1, rb),                             \
                   *pc = sim_src(w, inst, 2, rc);                                                            \
    uint32_t *d = sim_begin(w, inst, room);                                                                  \
    F16_BEGIN                                                                                                \
    LANES {                                                                                                  \
      float a = half_in(pa[l], keep), b = half_in(pb[l], keep), c = half_in(pc[l], keep);                    \
      d[l] = (expression);                                                                                   \
    }                                                                                                        \
    sim_end(w, inst, d, room);                                                                               \
  }

/* The unfused f16 multiply-add: the product is rounded to f16. */
static inline float mad_f16(float a, float b, float c) {
  return sim_f16_to_f32(sim_f32_to_f16(a * b)) + c;
}

F16_2(v_add_f16, a + b)
F16_2(v_sub_f16, a - b)
F16_2(v_subrev_f16, b - a)
F16_2(v_mul_f16, a *b)
F16_2(v_min_f16, min_f32(a, b))
F16_2(v_max_f16, max_f32(a, b))
F16_3(v_fma_f16, sim_fma_f16(a, b, c))
F16_3(v_mad_f16, half_out(mad_f16(a, b, c)))
F16_3(v_mad_legacy_f16, half_out(mad_f16(a, b, c)))
F16_3(v_fma_legacy_f16, sim_fma_f16(a, b, c))
F16_3(v_madmk_f16, half_out(mad_f16(a, b, c)))
F16_3(v_madak_f16, half_out(mad_f16(a, b, c)))
F16_3(v_min3_f16, half_out(min_f32(min_f32(a, b), c)))
F16_3(v_max3_f16, half_out(max_f32(max_f32(a, b), c)))
F16_3(v_med3_f16, half_out(median(a, b, c)))
F16_3(v_div_fixup_f16, half_out(fixed_up(a, b, c)))
F16_3(v_div_fixup_legacy_f16, half_out(fixed_up(a, b, c)))
F16_1(v_rcp_f16, 1.0f / a)
F16_1(v_sqrt_f16, sqrtf(a))
F16_1(v_rsq_f16, 1.0f / sqrtf(a))
F16_1(v_log_f16, log2f(a))
F16_1(v_exp_f16, exp2f(a))
F16_1(v_sin_f16, sine(a))
F16_1(v_cos_f16, cosine(a))
F16_1(v_floor_f16, floorf(a))
F16_1(v_ceil_f16, ceilf(a))
F16_1(v_trunc_f16, truncf(a))
F16_1(v_rndne_f16, rintf(a))
F16_1(v_fract_f16, fminf(a - floorf(a), 0x1.ffcp-1f))
F16_1(v_frexp_mant_f16, mantissa_of(a))

SIM_DO(v_mac_f16) {
  sim_lanes ra, rb, room;
  const uint32_t *pa = sim_src(w, inst, 0, ra), *pb = sim_src(w, inst, 1, rb),
                 *pc = w->v[inst->dst - SIM_VGPR0];
  uint32_t *d = sim_begin(w, inst, room);
  F16_BEGIN
  LANES
  d[l] = half_out(mad_f16(half_in(pa[l], keep), half_in(pb[l], keep), half_in(pc[l], keep)));
  sim_end(w, inst, d, room);
}

SIM_DO(v_ldexp_f16) {
  sim_lanes ra, rb, room;
  const uint32_t *pa = sim_src(w, inst, 0, ra), *pb = sim_src(w, inst, 1, rb);
  uint32_t *d = sim_begin(w, inst, room);
  F16_BEGIN
  for (unsigned l = 0; l < SIM_LANES; l++)
    d[l] = half_out(ldexpf(half_in(pa[l], keep), (int16_t)pb[l]));
  sim_end(w, inst, d, room);
}

SIM_DO(v_frexp_exp_i16_f16) {
  sim_lanes ra, room;
  const uint32_t *pa = sim_src(w, inst, 0, ra);
  uint32_t *d = sim_begin(w, inst, room);
  F16_BEGIN
  for (unsigned l = 0; l < SIM_LANES; l++)
    d[l] = (uint32_t)exponent_of(half_in(pa[l], keep));
  sim_end(w, inst, d, room);
}
