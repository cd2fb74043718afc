/* How vector ALU handlers reach their operands. Include in files that are compiled once a variant.
 *
 * A handler reads each source as an array of 64 dwords (64-bit sources: the 64 low dwords, then the 64 high ones,
 * as in the register file), computes all lanes in one loop that the compiler vectorises, and ends by keeping the
 * lanes that EXEC allows. Sources and destination may be the same register, never partly overlapping within
 * a lane's iteration, hence LANES. */
#ifndef SIM_VALU_H
#define SIM_VALU_H

#include <math.h>

#include "bench/hipsim/sim_handlers.h"
#include "bench/hipsim/sim_operand.h"

#if defined(__AVX2__) || defined(__SSE2__)
#include <immintrin.h>
#endif

#define LANES _Pragma("GCC ivdep") for (unsigned l = 0; l < SIM_LANES; l++)

/* Registers hold bits; these read them as floating point. */
typedef float sim_f32 __attribute__((may_alias));
typedef int32_t sim_i32 __attribute__((may_alias));

typedef uint32_t sim_lanes[SIM_LANES] __attribute__((aligned(64)));
typedef uint32_t sim_lanes64[2 * SIM_LANES] __attribute__((aligned(64)));

/* MODE: bits 4 and 5 denormals of f32, 6 and 7 of f16 and f64 (bit set: kept as input, kept as output), 8 clamp turns
 * NaN into 0, 9 IEEE: signalling NaNs are quieted by min and max. */
enum {
  SIM_MODE_F32_IN = 1 << 4,
  SIM_MODE_F32_OUT = 1 << 5,
  SIM_MODE_F16_IN = 1 << 6,
  SIM_MODE_F16_OUT = 1 << 7,
  SIM_MODE_DX10_CLAMP = 1 << 8,
  SIM_MODE_IEEE = 1 << 9,
};

/* The long ways, in sim_valu.c: any operand, every modifier. */
void SIM_NAME(sim_load)(const struct sim_wave *w, const struct sim_inst *inst, unsigned i, uint32_t *out);
void SIM_NAME(sim_load64)(const struct sim_wave *w, const struct sim_inst *inst, unsigned i, uint32_t *out);
void SIM_NAME(sim_store)(struct sim_wave *w, const struct sim_inst *inst, uint32_t *value);
void SIM_NAME(sim_store64)(struct sim_wave *w, const struct sim_inst *inst, uint32_t *value);
void SIM_NAME(sim_load_flushed)(const struct sim_wave *w, const struct sim_inst *inst, unsigned i,
                                uint32_t *out);

/* The lanes an instruction may write: EXEC, less what DPP switches off. */
uint64_t SIM_NAME(sim_write_mask)(const struct sim_wave *w, const struct sim_inst *inst);

/* ---- sources ---- */

static inline const uint32_t *sim_src(const struct sim_wave *w, const struct sim_inst *inst, unsigned i,
                                      uint32_t *room) {
  unsigned code = inst->src[i];
  if (__builtin_expect(code >= SIM_VGPR0 && !(inst->flags & SIM_F_SOURCE), 1))
    return w->v[code - SIM_VGPR0];
  SIM_NAME(sim_load)(w, inst, i, room);
  return room;
}

/* Dwords as floats: sim_f32 may alias them. */
static inline sim_f32 *sim_floats(void *dwords) {
  return dwords;
}
static inline const sim_f32 *sim_const_floats(const void *dwords) {
  return dwords;
}

/* The same for f32 arithmetic, which flushes denormals when MODE says so. */
static inline const sim_f32 *sim_src_f32(const struct sim_wave *w, const struct sim_inst *inst, unsigned i,
                                         uint32_t *room) {
  unsigned code = inst->src[i];
  if (__builtin_expect(code >= SIM_VGPR0 && !(inst->flags & SIM_F_SOURCE) && (w->mode & SIM_MODE_F32_IN), 1))
    return sim_const_floats(w->v[code - SIM_VGPR0]);
  if (w->mode & SIM_MODE_F32_IN)
    SIM_NAME(sim_load)(w, inst, i, room);
  else
    SIM_NAME(sim_load_flushed)(w, inst, i, room);
  return sim_const_floats(room);
}

static inline const uint32_t *sim_src64(const struct sim_wave *w, const struct sim_inst *inst, unsigned i,
                                        uint32_t *room) {
  unsigned code = inst->src[i];
  if (__builtin_expect(code >= SIM_VGPR0 && !(inst->flags & SIM_F_SOURCE), 1))
    return w->v[code - SIM_VGPR0];
  SIM_NAME(sim_load64)(w, inst, i, room);
  return room;
}

/* f16 in the low half of a dword, f64: a denormal becomes a zero of its sign. */
static inline uint32_t sim_flush_f16(uint32_t bits) {
  return (bits & 0x7c00) == 0 ? bits & 0xffff8000 : bits;
}

/* The same for f16 and f64, which share a setting. */
static inline const uint32_t *sim_src_f16(const struct sim_wave *w, const struct sim_inst *inst, unsigned i,
                                          uint32_t *room) {
  const uint32_t *s = sim_src(w, inst, i, room);
  if (__builtin_expect((w->mode & SIM_MODE_F16_IN) != 0, 1))
    return s;
  LANES
  room[l] = sim_flush_f16(s[l]);
  return room;
}

static inline void sim_flush_f64(const uint32_t *s, uint32_t *d) {
  LANES {
    bool denormal = (s[SIM_LANES + l] & 0x7ff00000) == 0;
    d[l] = denormal ? 0 : s[l];
    d[SIM_LANES + l] = denormal ? s[SIM_LANES + l] & 0x80000000 : s[SIM_LANES + l];
  }
}

static inline const uint32_t *sim_src_f64(const struct sim_wave *w, const struct sim_inst *inst, unsigned i,
                                          uint32_t *room) {
  const uint32_t *s = sim_src64(w, inst, i, room);
  if (__builtin_expect((w->mode & SIM_MODE_F16_IN) != 0, 1))
    return s;
  sim_flush_f64(s, room);
  return room;
}

/* ---- results ---- */

/* Where to compute: the destination itself when every lane is written as it stands, else `room`. */
static inline uint32_t *sim_begin(struct sim_wave *w, const struct sim_inst *inst, uint32_t *room) {
  bool plain = sim_exec(w) == UINT64_MAX && !(inst->flags & SIM_F_RESULT);
  return plain ? w->v[inst->dst - SIM_VGPR0] : room;
}

static inline sim_f32 *sim_begin_f32(struct sim_wave *w, const struct sim_inst *inst, uint32_t *room) {
  bool plain = (w->mode & SIM_MODE_F32_OUT) != 0;
  return sim_floats(plain ? sim_begin(w, inst, room) : room);
}

static inline uint32_t *sim_begin_f64(struct sim_wave *w, const struct sim_inst *inst, uint32_t *room) {
  return w->mode & SIM_MODE_F16_OUT ? sim_begin(w, inst, room) : room;
}

static inline void sim_end(struct sim_wave *w, const struct sim_inst *inst, const void *d, uint32_t *room) {
  if (d == room)
    SIM_NAME(sim_store)(w, inst, room);
}

static inline void sim_end64(struct sim_wave *w, const struct sim_inst *inst, const void *d, uint32_t *room) {
  if (d == room)
    SIM_NAME(sim_store64)(w, inst, room);
}

/* ---- lane masks ---- */

/* Bit l: value[l] is not zero. Values are 0 or ~0. */
static inline uint64_t sim_mask_of(const uint32_t *value) {
  uint64_t mask = 0;
#if defined(__AVX512F__) && defined(__AVX512DQ__)
  for (unsigned i = 0; i < 4; i++)
    mask |= (uint64_t)_mm512_movepi32_mask(_mm512_load_si512(value + 16 * i)) << 16 * i;
#elif defined(__AVX2__)
  for (unsigned i = 0; i < 8; i++) {
    __m256i part = _mm256_load_si256((const __m256i *)(const void *)(value + 8 * i));
    mask |= (uint64_t)(uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(part)) << 8 * i;
  }
#elif defined(__SSE2__)
  for (unsigned i = 0; i < 16; i++) {
    __m128i part = _mm_load_si128((const __m128i *)(const void *)(value + 4 * i));
    mask |= (uint64_t)(uint32_t)_mm_movemask_ps(_mm_castsi128_ps(part)) << 4 * i;
  }
#else
  for (unsigned l = 0; l < SIM_LANES; l++)
    mask |= (uint64_t)(value[l] & 1) << l;
#endif
  return mask;
}

/* The reverse: ~0 in the lanes of the mask. */
static inline void sim_spread(uint64_t mask, uint32_t *value) {
  uint32_t low = (uint32_t)mask, high = (uint32_t)(mask >> 32);
  for (unsigned l = 0; l < 32; l++)
    value[l] = 0u - (low >> l & 1);
  for (unsigned l = 0; l < 32; l++)
    value[32 + l] = 0u - (high >> l & 1);
}

/* d takes the value in the lanes of the mask. */
static inline void sim_blend(uint32_t *d, const uint32_t *value, uint64_t mask) {
#if defined(__AVX512F__)
  for (unsigned i = 0; i < 4; i++)
    _mm512_mask_store_epi32(d + 16 * i, (__mmask16)(mask >> 16 * i), _mm512_load_si512(value + 16 * i));
#else
  sim_lanes keep;
  sim_spread(mask, keep);
  LANES
  d[l] = (value[l] & keep[l]) | (d[l] & ~keep[l]);
#endif
}

/* ---- small numbers ---- */

static inline uint64_t sim_join(uint32_t low, uint32_t high) {
  return (uint64_t)high << 32 | low;
}

static inline float sim_as_f32(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static inline uint32_t sim_bits_f32(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static inline double sim_as_f64(uint64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static inline uint64_t sim_bits_f64(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/* f32 with a denormal turned into a zero of its sign. */
static inline uint32_t sim_flush_bits(uint32_t bits) {
  return (bits & 0x7f800000) == 0 ? bits & 0x80000000 : bits;
}

/* f16 in the low half of a dword to f32: exact. */
static inline float sim_f16_to_f32(uint32_t half) {
  uint32_t magnitude = (half & 0x7fff) << 13, sign = (half & 0x8000) << 16;
  /* Rebias by a multiplication, which also normalises denormals; infinities and NaNs need their exponent. */
  uint32_t scaled = sim_bits_f32(sim_as_f32(magnitude) * 0x1p112f);
  uint32_t special = magnitude | 0x7f800000 | (magnitude > 0x0f800000 ? 0x00400000u : 0u); /* a NaN: quiet */
  return sim_as_f32((magnitude >= 0x0f800000 ? special : scaled) | sign);
}

/* f32 to f16, to the nearest, ties to even. */
static inline uint32_t sim_f32_to_f16(float value) {
  uint32_t bits = sim_bits_f32(value), sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
  uint32_t normal = (magnitude + 0xfff + (magnitude >> 13 & 1) - 0x38000000) >> 13;
  /* Below 2^-14: adding 0.5 makes the FPU round at the f16 denormals' last place. */
  uint32_t denormal = sim_bits_f32(sim_as_f32(magnitude) + 0.5f) - 0x3f000000;
  uint32_t special = magnitude > 0x7f800000 ? 0x7e00 | (magnitude >> 13 & 0x3ff) : 0x7c00;
  uint32_t finite = magnitude < 0x38800000 ? denormal : normal;
  return sign | (magnitude >= 0x47800000 ? special : finite);
}

/* All ones where the top bit is set. */
static inline uint32_t sim_sign_mask(uint32_t bits) {
  return 0u - (bits >> 31);
}

/* f32 a * b + c of f16 numbers, such that rounding it to f16 rounds once. The product is exact in f32; the sum's error is
 * found (Knuth's TwoSum) and folded in by rounding to odd. */
static inline float sim_fma_f16(float a, float b, float c) {
  float product = a * b, sum = product + c, part = sum - product;
  float error = (product - (sum - part)) + (c - part);
  uint32_t bits = sim_bits_f32(sum);
  /* One unit towards the error, unless the sum is odd, exact or not finite. Masks, so that it vectorises. */
  uint32_t even = (bits & 1) - 1, inexact = (error != 0.0f ? UINT32_MAX : 0u);
  uint32_t finite = (bits & 0x7f800000) != 0x7f800000 ? UINT32_MAX : 0u;
  uint32_t towards = sim_sign_mask(sim_bits_f32(error) ^ bits) | 1; /* 1 or -1 */
  return sim_as_f32(bits + (towards & even & inexact & finite));
}

/* ---- NaNs ---- */

/* Of several NaNs the first source's comes out, quiet. Left to the host, that would hang on how the compiler orders
 * operands, which differs between variants. */
static inline float sim_quiet_f32(float x) {
  return sim_as_f32(sim_bits_f32(x) | 0x00400000);
}

static inline float sim_nan1(float a, float result) {
  return a != a ? sim_quiet_f32(a) : result;
}

static inline float sim_nan2(float a, float b, float result) {
  float of_two = b != b ? sim_quiet_f32(a) : result; /* one condition at a time: so it vectorises */
  return a != a ? of_two : result;
}

static inline float sim_nan3(float a, float b, float c, float result) {
  return sim_nan1(a, sim_nan1(b, sim_nan1(c, result)));
}

static inline double sim_quiet_f64(double x) {
  return sim_as_f64(sim_bits_f64(x) | UINT64_C(0x0008000000000000));
}

static inline double sim_nan1_f64(double a, double result) {
  return a != a ? sim_quiet_f64(a) : result;
}

static inline double sim_nan2_f64(double a, double b, double result) {
  double of_two = b != b ? sim_quiet_f64(a) : result;
  return a != a ? of_two : result;
}

static inline double sim_fused_f64(double a, double b, double c) {
  return sim_nan1_f64(a, sim_nan1_f64(b, sim_nan1_f64(c, fma(a, b, c))));
}

static inline float sim_sum_f32(float a, float b) {
  return sim_nan2(a, b, a + b);
}

static inline float sim_product_f32(float a, float b) {
  return sim_nan2(a, b, a * b);
}

static inline float sim_fused_f32(float a, float b, float c) {
  return sim_nan3(a, b, c, fmaf(a, b, c));
}

/* min and max of the ISA on bits, of f32 or of f16 shifted to the top: a number wins over a NaN, the second NaN over the
 * first, -0 is less than +0; in IEEE mode a signalling NaN comes out quiet instead. */
static inline uint32_t sim_extreme(uint32_t a, uint32_t b, bool least, bool ieee, uint32_t infinity) {
  const uint32_t quiet = (infinity & (0u - infinity)) >> 1; /* the bit below the exponent */
  int32_t x = (int32_t)(a ^ sim_sign_mask(a) >> 1), y = (int32_t)(b ^ sim_sign_mask(b) >> 1);
  int32_t magnitude_a = (int32_t)(a & 0x7fffffff), magnitude_b = (int32_t)(b & 0x7fffffff);
  uint32_t lower = x < y ? a : b, higher = x < y ? b : a, number = least ? lower : higher;
  /* In IEEE mode, what a quiet NaN would give, unless it is signalling. */
  uint32_t from_b = ieee ? (b & quiet ? a : b | quiet) : a, from_a = ieee ? (a & quiet ? b : a | quiet) : b;
  uint32_t signalling_b = ieee ? (b & quiet ? b : b | quiet) : b;
  uint32_t both = ieee ? (a & quiet ? signalling_b : a | quiet) : b;
  int32_t limit = (int32_t)infinity;
  uint32_t with_b = magnitude_b > limit ? from_b : number, with_a = magnitude_b > limit ? both : from_a;
  return magnitude_a > limit ? with_a : with_b;
}

static inline float sim_extreme_f32(float a, float b, bool least, bool ieee) {
  return sim_as_f32(sim_extreme(sim_bits_f32(a), sim_bits_f32(b), least, ieee, 0x7f800000));
}

/* In the low halves; the upper ones are ignored, and zero in the result. */
static inline uint32_t sim_extreme_f16(uint32_t a, uint32_t b, bool least, bool ieee) {
  return sim_extreme(a << 16, b << 16, least, ieee, 0x7c000000) >> 16;
}

/* ---- f16 of all lanes ---- */

/* f16 in the low halves to f32, as sim_f16_to_f32. */
static inline void sim_widen(const uint32_t *from, uint32_t *to) {
#if defined(__AVX512F__) && defined(__AVX512BW__)
  for (unsigned l = 0; l < SIM_LANES; l += 16)
    _mm512_store_ps(to + l, _mm512_cvtph_ps(_mm512_cvtepi32_epi16(_mm512_load_si512(from + l))));
#elif defined(__AVX2__) && defined(__F16C__)
  for (unsigned l = 0; l < SIM_LANES; l += 8) {
    __m256i x = _mm256_and_si256(_mm256_load_si256((const void *)(from + l)), _mm256_set1_epi32(0xffff));
    __m128i halves = _mm_packus_epi32(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));
    _mm256_store_ps((void *)(to + l), _mm256_cvtph_ps(halves));
  }
#else
  LANES
  to[l] = sim_bits_f32(sim_f16_to_f32(from[l] & 0xffff));
#endif
}

/* f32 to f16 in the low halves, as sim_f32_to_f16. */
static inline void sim_narrow(const uint32_t *from, uint32_t *to) {
#if defined(__AVX512F__) && defined(__AVX512BW__)
  for (unsigned l = 0; l < SIM_LANES; l += 16)
    _mm512_store_si512(
        to + l, _mm512_cvtepu16_epi32(_mm512_cvtps_ph(_mm512_load_ps(from + l), _MM_FROUND_TO_NEAREST_INT)));
#elif defined(__AVX2__) && defined(__F16C__)
  for (unsigned l = 0; l < SIM_LANES; l += 8) {
    __m128i halves = _mm256_cvtps_ph(_mm256_load_ps((const void *)(from + l)), _MM_FROUND_TO_NEAREST_INT);
    _mm256_store_si256((void *)(to + l), _mm256_cvtepu16_epi32(halves));
  }
#else
  LANES
  to[l] = sim_f32_to_f16(sim_as_f32(from[l]));
#endif
}

#endif
