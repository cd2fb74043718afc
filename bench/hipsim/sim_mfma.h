/* What the files of matrix instructions share: inputs, accumulators and their places. Include in files that are
 * compiled once a variant. Layouts: see sim_mfma.c. */
#ifndef SIM_MFMA_H
#define SIM_MFMA_H

#include <immintrin.h>

#include "bench/hipsim/sim_atomic.h"
#include "bench/hipsim/sim_handlers.h"
#include "bench/hipsim/sim_mfma_blocks.h"

/* One vector of the host. gcc's own choice of vectors swings by an order of magnitude, so they are spelled
 * out. */
#if defined(__AVX512F__)
enum { WIDTH = 16 };
#elif defined(__AVX2__)
enum { WIDTH = 8 };
#else
enum { WIDTH = 4 };
#endif
typedef float vector __attribute__((vector_size(WIDTH * 4)));
typedef int32_t ivector __attribute__((vector_size(WIDTH * 4)));

typedef uint32_t __attribute__((may_alias)) bits32; /* floats, written as their bits */

enum kind { F32, F16, BF16, BF16_PAIRS, XF32 };

enum { MAX_PER_LANE = 8 };

/* An input as f32: element e of a lane at [e][lane]. */
typedef float input[MAX_PER_LANE][SIM_LANES] __attribute__((aligned(64)));

/* MxMxK, B blocks, P elements of A or B a lane. */
struct shape {
  unsigned m, k, blocks, per_lane;
  enum kind kind;
  bool fast;
};

SIM_ALWAYS vector load_vector(const void *from) {
  vector v;
  memcpy(&v, from, sizeof v);
  return v;
}

SIM_ALWAYS void store_vector(void *to, vector v) {
  memcpy(to, &v, sizeof v);
}

SIM_ALWAYS vector splat(float value) {
  return value - (vector){0};
}

/* ---- inputs ---- */

/* Widens the low or high halves of a register. Subnormal f16 become zero, which leaves three cases: zero, normal,
 * and infinity or NaN. */
SIM_ALWAYS void widen_f16_flushed(float to[SIM_LANES], const uint32_t from[SIM_LANES], bool high) {
  bits32 *bits = (bits32 *)(void *)to;
  for (unsigned i = 0; i < SIM_LANES; i++) {
    uint32_t half = high ? from[i] & 0xffff0000u : from[i] << 16;
    uint32_t magnitude = (half & 0x7fff0000u) >> 3;
    uint32_t bias = magnitude >= 0x0f800000u ? 0x70000000u : 0x38000000u;
    uint32_t value = magnitude < 0x00800000u ? 0 : magnitude + bias;
    bits[i] = (half & 0x80000000u) | value;
  }
}

/* The same with subnormals, which a multiplication normalises. */
SIM_ALWAYS void widen_f16(float to[SIM_LANES], const uint32_t from[SIM_LANES], bool high) {
  for (unsigned i = 0; i < SIM_LANES; i++) {
    uint32_t half = high ? from[i] >> 16 : from[i] & 0xffffu, magnitude = (half & 0x7fffu) << 13;
    float scaled = sim_float_of(magnitude) * 0x1p112f;
    uint32_t value = magnitude >= 0x0f800000u ? magnitude | 0x7f800000u : sim_bits_of(scaled);
    to[i] = sim_float_of(value | (half & 0x8000u) << 16);
  }
}

SIM_ALWAYS void widen_bf16(float to[SIM_LANES], const uint32_t from[SIM_LANES], bool high) {
  bits32 *bits = (bits32 *)(void *)to;
  for (unsigned i = 0; i < SIM_LANES; i++) {
    bits[i] = high ? from[i] & 0xffff0000u : from[i] << 16;
  }
}

/* `flushes`: subnormal f16 are zero. */
SIM_ALWAYS void read_input(input to, const sim_vreg *from, unsigned per_lane, enum kind kind, bool flushes) {
  for (unsigned e = 0; e < per_lane; e++) {
    bool high = e % 2 != 0;
    if (kind == F32 || kind == XF32) {
      memcpy(to[e], from[e], sizeof to[e]);
    } else if (kind == BF16 || kind == BF16_PAIRS) {
      widen_bf16(to[e], from[e / 2], high);
    } else if (flushes) {
      widen_f16_flushed(to[e], from[e / 2], high);
    } else {
      widen_f16(to[e], from[e / 2], high);
    }
  }
}

/* BLGP: lanes of B that stand in for others. 1 and 2: one half for both, 3: rotated by 16 lanes, 4 to 7: a quarter for
 * all. */
static inline unsigned blgp_lane(unsigned blgp, unsigned lane) {
  switch (blgp) {
  case 1:
    return lane & 31u;
  case 2:
    return lane | 32u;
  case 3:
    return (lane + 16u) % SIM_LANES;
  default:
    return blgp >= 4 ? (lane & 15u) | (blgp - 4u) << 4 : lane;
  }
}

static inline void permute_input(input b, unsigned per_lane, unsigned blgp) {
  for (unsigned e = 0; e < per_lane && blgp != 0; e++) {
    float copy[SIM_LANES];
    memcpy(copy, b[e], sizeof copy);
    for (unsigned lane = 0; lane < SIM_LANES; lane++) {
      b[e][lane] = copy[blgp_lane(blgp, lane)];
    }
  }
}

/* ---- accumulators ---- */

static inline uint32_t constant_bits(unsigned operand) {
  static const float floats[] = {0.5f, -0.5f, 1.0f, -1.0f, 2.0f, -2.0f, 4.0f, -4.0f, 0.15915494f};
  if (operand >= SIM_INLINE_FLOAT_0 && operand < SIM_INLINE_FLOAT_0 + sizeof floats / sizeof floats[0]) {
    return sim_bits_of(floats[operand - SIM_INLINE_FLOAT_0]);
  }
  return operand <= 192 ? operand - SIM_INLINE_INT_0 : (uint32_t)(192 - (int)operand);
}

/* Registers of C: those of the operand, or copies of an inline constant in `spare`. */
SIM_ALWAYS const sim_vreg *read_accumulator(const struct sim_wave *w, const struct sim_inst *inst,
                                            sim_vreg *spare, unsigned registers) {
  unsigned operand = inst->src[2];
  if (operand >= SIM_VGPR0) {
    return sim_vector(w, operand);
  }
  uint32_t bits = constant_bits(operand);
  for (unsigned i = 0; i < registers; i++) {
    for (unsigned lane = 0; lane < SIM_LANES; lane++) {
      spare[i][lane] = bits;
    }
  }
  return spare;
}

/* f16, bf16 and xf32 by the models of gfx908 and of gfx942 (sim_mfma_exact.c, sim_mfma_aligned.c). */
void SIM_NAME(sim_mfma_exact)(struct sim_wave *w, const struct sim_inst *inst, const struct shape *s);
void SIM_NAME(sim_mfma_aligned)(struct sim_wave *w, const struct sim_inst *inst, const struct shape *s);

#endif
