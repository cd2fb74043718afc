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
  uint32_t special = magnitude | 0x7f800000;
  if (magnitude > 0x0f800000) /* a NaN comes out quiet */
    special |= 0x00400000;
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

/* f16 a * b + c, rounded once. The product is exact in f32; the sum's rounding error is found (Knuth's TwoSum) and
 * folded in by rounding to odd, so that the rounding to f16 sees it. */
static inline uint32_t sim_fma_f16(float a, float b, float c) {
  float product = a * b, sum = product + c, part = sum - product;
  float error = (product - (sum - part)) + (c - part);
  uint32_t bits = sim_bits_f32(sum);
  bool adjust = error != 0 && !(bits & 1) && (bits & 0x7f800000) != 0x7f800000;
  bool away = (sim_bits_f32(error) >> 31) == bits >> 31;
  uint32_t odd = bits + (away ? 1 : UINT32_MAX);
  return sim_f32_to_f16(sim_as_f32(adjust ? odd : bits));
}

#endif
