/* Vector ALU on 64-bit integers and f64. */
#include "bench/hipsim/sim_valu.h"

static inline void put64(uint32_t *d, unsigned l, uint64_t value) {
  d[l] = (uint32_t)value;
  d[SIM_LANES + l] = (uint32_t)(value >> 32);
}

static inline uint64_t get64(const uint32_t *s, unsigned l) {
  return sim_join(s[l], s[SIM_LANES + l]);
}

/* ---- integers ---- */

/* A shift count of 32 bits, then 64 bits to shift. */
#define SHIFT(name, expression)                                                                              \
  SIM_DO(name) {                                                                                             \
    sim_lanes ra;                                                                                            \
    sim_lanes64 rb, room;                                                                                    \
    const uint32_t *pa = sim_src(w, inst, 0, ra), *pb = sim_src64(w, inst, 1, rb);                           \
    uint32_t *d = sim_begin(w, inst, room);                                                                  \
    LANES {                                                                                                  \
      uint32_t a = pa[l] & 63;                                                                               \
      uint64_t b = get64(pb, l);                                                                             \
      put64(d, l, (uint64_t)(expression));                                                                   \
    }                                                                                                        \
    sim_end64(w, inst, d, room);                                                                             \
  }
SHIFT(v_lshlrev_b64, b << a)
SHIFT(v_lshrrev_b64, b >> a)
SHIFT(v_ashrrev_i64, (int64_t)b >> a)

SIM_DO(v_lshl_add_u64) {
  sim_lanes rb;
  sim_lanes64 ra, rc, room;
  const uint32_t *pa = sim_src64(w, inst, 0, ra), *pb = sim_src(w, inst, 1, rb),
                 *pc = sim_src64(w, inst, 2, rc);
  uint32_t *d = sim_begin(w, inst, room);
  LANES
  put64(d, l, (get64(pa, l) << (pb[l] & 7)) + get64(pc, l)); /* three bits of the count (CDNA3 ISA guide) */
  sim_end64(w, inst, d, room);
}

/* d = a * b + c in 64 bits, and the carry out of them. */
#define MAD64(name, product, carries)                                                                        \
  SIM_DO(name) {                                                                                             \
    sim_lanes ra, rb, carry;                                                                                 \
    sim_lanes64 rc, room;                                                                                    \
    const uint32_t *pa = sim_src(w, inst, 0, ra), *pb = sim_src(w, inst, 1, rb),                             \
                   *pc = sim_src64(w, inst, 2, rc);                                                          \
    uint32_t *d = sim_begin(w, inst, room);                                                                  \
    LANES {                                                                                                  \
      uint32_t a = pa[l], b = pb[l];                                                                         \
      uint64_t c = get64(pc, l), sum = (uint64_t)(product) + c;                                              \
      carry[l] = 0u - (uint32_t)(carries);                                                                   \
      put64(d, l, sum);                                                                                      \
    }                                                                                                        \
    sim_end64(w, inst, d, room);                                                                             \
    sim_write_s64(w, inst->sdst, sim_mask_of(carry) & sim_exec(w));                                          \
  }
MAD64(v_mad_u64_u32, (uint64_t)a *b, sum < c)
/* Signed: bit 64 of the exact sum, which is its sign; that of the 64-bit sum, unless this overflowed. */
MAD64(v_mad_i64_i32, (int64_t)(int32_t)a *(int32_t)b,
      (sum ^ (((uint64_t)((int64_t)(int32_t)a * (int32_t)b) ^ sum) & (c ^ sum))) >> 63)

/* ---- f64 ---- */

static inline double getf(const uint32_t *s, unsigned l) {
  return sim_as_f64(get64(s, l));
}

static inline void putf(uint32_t *d, unsigned l, double value) {
  put64(d, l, sim_bits_f64(value));
}

static inline bool signalling(double x) {
  return x != x && !(sim_bits_f64(x) & UINT64_C(0x0008000000000000));
}

/* min and max of the ISA: a number wins over a NaN; in IEEE mode a signalling NaN comes out quiet. */
static inline double pick(double a, double b, bool ieee, bool least) {
  if (ieee && signalling(a))
    return sim_quiet_f64(a);
  if (ieee && signalling(b))
    return sim_quiet_f64(b);
  if (a != a)
    return b;
  if (b != b)
    return a;
  if (a == b) /* zeros of different sign */
    return (signbit(a) != 0) == least ? a : b;
  return (a < b) == least ? a : b;
}

static inline double fraction(double x) {
  double f = x - floor(x); /* never 1 */
  return sim_nan1_f64(x, isinf(x) ? -NAN : f < 0x1.fffffffffffffp-1 ? f : f != f ? f : 0x1.fffffffffffffp-1);
}

static inline int32_t exponent_of(double x) {
  int e;
  if (isinf(x) || isnan(x) || x == 0)
    return 0;
  (void)frexp(x, &e);
  return e;
}

static inline double mantissa_of(double x) {
  int e;
  return sim_nan1_f64(x, isinf(x) || isnan(x) ? x : frexp(x, &e));
}

#define F64_1(name, expression)                                                                              \
  SIM_DO(name) {                                                                                             \
    sim_lanes64 ra, room;                                                                                    \
    const uint32_t *pa = sim_src_f64(w, inst, 0, ra);                                                        \
    uint32_t *d = sim_begin_f64(w, inst, room);                                                              \
    for (unsigned l = 0; l < SIM_LANES; l++) {                                                               \
      double a = getf(pa, l);                                                                                \
      putf(d, l, (expression));                                                                              \
    }                                                                                                        \
    sim_end64(w, inst, d, room);                                                                             \
  }
#define F64_2(name, expression)                                                                              \
  SIM_DO(name) {                                                                                             \
    sim_lanes64 ra, rb, room;                                                                                \
    const uint32_t *pa = sim_src_f64(w, inst, 0, ra), *pb = sim_src_f64(w, inst, 1, rb);                     \
    uint32_t *d = sim_begin_f64(w, inst, room);                                                              \
    bool ieee = (w->mode & SIM_MODE_IEEE) != 0;                                                              \
    (void)ieee;                                                                                              \
    LANES {                                                                                                  \
      double a = getf(pa, l), b = getf(pb, l);                                                               \
      putf(d, l, (expression));                                                                              \
    }                                                                                                        \
    sim_end64(w, inst, d, room);                                                                             \
  }
#define F64_3(name, expression)                                                                              \
  SIM_DO(name) {                                                                                             \
    sim_lanes64 ra, rb, rc, room;                                                                            \
    const uint32_t *pa = sim_src_f64(w, inst, 0, ra), *pb = sim_src_f64(w, inst, 1, rb),                     \
                   *pc = sim_src_f64(w, inst, 2, rc);                                                        \
    uint32_t *d = sim_begin_f64(w, inst, room);                                                              \
    LANES {                                                                                                  \
      double a = getf(pa, l), b = getf(pb, l), c = getf(pc, l);                                              \
      putf(d, l, (expression));                                                                              \
    }                                                                                                        \
    sim_end64(w, inst, d, room);                                                                             \
  }

F64_1(v_trunc_f64, sim_nan1_f64(a, trunc(a)))
F64_1(v_ceil_f64, sim_nan1_f64(a, ceil(a)))
F64_1(v_rndne_f64, sim_nan1_f64(a, rint(a)))
F64_1(v_floor_f64, sim_nan1_f64(a, floor(a)))
F64_1(v_fract_f64, fraction(a))
F64_1(v_rcp_f64, 1.0 / a)
F64_1(v_rsq_f64, 1.0 / sqrt(a))
F64_1(v_sqrt_f64, sqrt(a))
F64_1(v_frexp_mant_f64, mantissa_of(a))
F64_2(v_add_f64, sim_nan2_f64(a, b, a + b))
F64_2(v_mul_f64, sim_nan2_f64(a, b, a *b))
F64_2(v_min_f64, pick(a, b, ieee, true))
F64_2(v_max_f64, pick(a, b, ieee, false))
F64_3(v_fma_f64, sim_fused_f64(a, b, c))

SIM_DO(v_fmac_f64) {
  sim_lanes64 ra, rb, rc, room;
  const struct sim_inst acc = {.src = {inst->dst}};
  const uint32_t *pa = sim_src_f64(w, inst, 0, ra), *pb = sim_src_f64(w, inst, 1, rb),
                 *pc = sim_src_f64(w, &acc, 0, rc);
  uint32_t *d = sim_begin_f64(w, inst, room);
  LANES
  putf(d, l, sim_fused_f64(getf(pa, l), getf(pb, l), getf(pc, l)));
  sim_end64(w, inst, d, room);
}

SIM_DO(v_ldexp_f64) {
  sim_lanes rb;
  sim_lanes64 ra, room;
  const uint32_t *pa = sim_src_f64(w, inst, 0, ra), *pb = sim_src(w, inst, 1, rb);
  uint32_t *d = sim_begin_f64(w, inst, room);
  for (unsigned l = 0; l < SIM_LANES; l++)
    putf(d, l, ldexp(getf(pa, l), (int32_t)pb[l]));
  sim_end64(w, inst, d, room);
}

SIM_DO(v_frexp_exp_i32_f64) {
  sim_lanes64 ra;
  sim_lanes room;
  const uint32_t *pa = sim_src_f64(w, inst, 0, ra);
  uint32_t *d = sim_begin(w, inst, room);
  for (unsigned l = 0; l < SIM_LANES; l++)
    d[l] = (uint32_t)exponent_of(getf(pa, l));
  sim_end(w, inst, d, room);
}

/* ---- f64 division ---- */

static inline int biased(double x) {
  return (int)(sim_bits_f64(x) >> 52 & 0x7ff);
}

/* v_div_scale (ISA guide): scales a numerator or denominator so that the division's Newton steps neither overflow nor
 * lose bits; *flag says that v_div_fmas must scale back. Source 0 is the one to scale: b (denominator) or c. */
static inline double scaled(double a, double b, double c, bool *flag) {
  double up = ldexp(a, 128), down = ldexp(a, -128);
  *flag = false;
  if (b == 0 || c == 0)
    return NAN;
  if (biased(c) - biased(b) >= 768) { /* the quotient is near overflow */
    *flag = true;
    return a == b ? up : a;
  }
  if (biased(b) == 0)
    return up;
  if (fpclassify(1.0 / b) == FP_SUBNORMAL && fpclassify(c / b) == FP_SUBNORMAL) {
    *flag = true;
    return a == b ? down : a;
  }
  if (fpclassify(1.0 / b) == FP_SUBNORMAL)
    return down;
  if (fpclassify(c / b) == FP_SUBNORMAL) {
    *flag = true;
    return a == c ? up : a;
  }
  return biased(c) <= 53 ? up : a;
}

SIM_DO(v_div_scale_f64) {
  sim_lanes64 ra, rb, rc, room;
  sim_lanes flags;
  const uint32_t *pa = sim_src_f64(w, inst, 0, ra), *pb = sim_src_f64(w, inst, 1, rb),
                 *pc = sim_src_f64(w, inst, 2, rc);
  uint32_t *d = sim_begin_f64(w, inst, room);
  for (unsigned l = 0; l < SIM_LANES; l++) {
    bool flag;
    putf(d, l, scaled(getf(pa, l), getf(pb, l), getf(pc, l), &flag));
    flags[l] = flag ? UINT32_MAX : 0;
  }
  sim_end64(w, inst, d, room);
  sim_write_s64(w, inst->sdst, sim_mask_of(flags) & sim_exec(w));
}

/* a * b + c times 2^power, rounded once, as its like for f32: here in 113 bits. */
static double fma_scaled(double a, double b, double c, int power) {
  if (!isfinite(a) || !isfinite(b) || !isfinite(c))
    return sim_fused_f64(a, b, c);
  __float128 product = (__float128)a * b, sum = product + c, part = sum - product;
  __float128 error = (product - (sum - part)) + (c - part), scale = ldexp(1.0, power);
  unsigned __int128 bits;
  memcpy(&bits, &sum, sizeof bits);
  if (error != 0 && !(bits & 1))
    bits += (error > 0) == (sum > 0) ? 1 : -(unsigned __int128)1;
  memcpy(&sum, &bits, sizeof sum);
  return (double)(sum * scale);
}

SIM_DO(v_div_fmas_f64) {
  sim_lanes64 ra, rb, rc, room;
  const uint32_t *pa = sim_src_f64(w, inst, 0, ra), *pb = sim_src_f64(w, inst, 1, rb),
                 *pc = sim_src_f64(w, inst, 2, rc);
  uint32_t *d = sim_begin_f64(w, inst, room);
  uint64_t vcc = sim_read_s64(w, SIM_VCC_LO);
  for (unsigned l = 0; l < SIM_LANES; l++) {
    double a = getf(pa, l), b = getf(pb, l), c = getf(pc, l);
    putf(d, l, vcc >> l & 1 ? fma_scaled(a, b, c, biased(c) > 1023 ? 128 : -128) : sim_fused_f64(a, b, c));
  }
  sim_end64(w, inst, d, room);
}

/* The special cases of a division: a is the quotient so far, b the denominator, c the numerator. */
static inline double fixed_up(double a, double b, double c) {
  bool negative = (signbit(b) != 0) != (signbit(c) != 0);
  if (c != c)
    return sim_quiet_f64(c);
  if (b != b)
    return sim_quiet_f64(b);
  if ((b == 0 && c == 0) || (isinf(b) && isinf(c)))
    return -NAN;
  if (b == 0 || isinf(c))
    return negative ? -INFINITY : INFINITY;
  if (isinf(b) || c == 0)
    return negative ? -0.0 : 0.0;
  if (biased(c) - biased(b) < -1075)
    return negative ? -0.0 : 0.0; /* underflow */
  if (biased(a) == 2047)          /* overflow, as for f32 */
    return negative ? -INFINITY : INFINITY;
  return negative ? -fabs(a) : fabs(a);
}
F64_3(v_div_fixup_f64, fixed_up(a, b, c))
