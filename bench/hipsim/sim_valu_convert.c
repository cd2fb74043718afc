/* Vector ALU: conversions. Out of range saturates, NaN becomes 0 (CDNA2 ISA guide). */
#include "bench/hipsim/sim_valu.h"

/* ---- one lane ---- */

static inline uint32_t to_u32(float x) {
  float positive = x > 0.0f ? x : 0.0f; /* NaN too */
  float in_range = positive < 0x1.fffffep31f ? positive : 0x1.fffffep31f;
  return positive >= 0x1p32f ? UINT32_MAX : (uint32_t)in_range;
}

static inline int32_t to_i32(float x) {
  float number = x == x ? x : 0.0f;
  float above = number > -0x1p31f ? number : -0x1p31f;
  float in_range = above < 0x1.fffffep30f ? above : 0x1.fffffep30f;
  return above >= 0x1p31f ? INT32_MAX : (int32_t)in_range;
}

static inline uint32_t to_u32_64(double x) {
  return !(x > 0) ? 0 : x >= 0x1p32 ? UINT32_MAX : (uint32_t)x;
}

static inline int32_t to_i32_64(double x) {
  return x != x ? 0 : x <= -0x1p31 ? INT32_MIN : x >= 0x1p31 ? INT32_MAX : (int32_t)x;
}

static inline uint32_t to_u16(float x) {
  return !(x > 0) ? 0 : x >= 65535.0f ? 65535 : (uint32_t)x;
}

static inline uint32_t to_i16(float x) {
  return x != x ? 0 : x <= -32768.0f ? 0x8000 : x >= 32767.0f ? 0x7fff : (uint16_t)(int32_t)x;
}

static inline uint32_t to_u8(float x) {
  float rounded = rintf(x);
  return !(rounded > 0) ? 0 : rounded >= 255.0f ? 255 : (uint32_t)rounded;
}

/* To f16, towards zero. */
static inline uint32_t to_f16_rtz(float x) {
  uint32_t nearest = sim_f32_to_f16(x);
  bool overflowed = (nearest & 0x7fff) == 0x7c00 && !isinf(x);
  return overflowed || fabsf(sim_f16_to_f32(nearest)) > fabsf(x) ? nearest - 1 : nearest;
}

/* To bf16, to the nearest, ties to even. */
static inline uint32_t to_bf16(float x) {
  uint32_t bits = sim_bits_f32(x);
  return x != x ? bits >> 16 | 0x40 : (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

/* ---- f32 to and from integers ---- */

#define FROM_F32(name, expression)                                                                           \
  SIM_DO(name) {                                                                                             \
    sim_lanes ra, room;                                                                                      \
    const sim_f32 *pa = sim_src_f32(w, inst, 0, ra);                                                         \
    uint32_t *d = sim_begin(w, inst, room);                                                                  \
    LANES {                                                                                                  \
      float a = pa[l];                                                                                       \
      d[l] = (uint32_t)(expression);                                                                         \
    }                                                                                                        \
    sim_end(w, inst, d, room);                                                                               \
  }
#define TO_F32(name, expression)                                                                             \
  SIM_DO(name) {                                                                                             \
    sim_lanes ra, room;                                                                                      \
    const uint32_t *pa = sim_src(w, inst, 0, ra);                                                            \
    sim_f32 *d = sim_begin_f32(w, inst, room);                                                               \
    LANES {                                                                                                  \
      uint32_t a = pa[l];                                                                                    \
      d[l] = (expression);                                                                                   \
    }                                                                                                        \
    sim_end(w, inst, d, room);                                                                               \
  }
TO_F32(v_cvt_f32_i32, (float)(int32_t)a)
TO_F32(v_cvt_f32_u32, (float)a)
TO_F32(v_cvt_f32_ubyte0, (float)(a & 0xff))
TO_F32(v_cvt_f32_ubyte1, (float)(a >> 8 & 0xff))
TO_F32(v_cvt_f32_ubyte2, (float)(a >> 16 & 0xff))
TO_F32(v_cvt_f32_ubyte3, (float)(a >> 24))
TO_F32(v_cvt_f32_f16, sim_f16_to_f32(w->mode &SIM_MODE_F16_IN || a & 0x7c00 ? a : a & 0x8000))
TO_F32(v_cvt_f32_bf16, sim_as_f32(a << 16))
FROM_F32(v_cvt_u32_f32, to_u32(a))
FROM_F32(v_cvt_i32_f32, to_i32(a))
FROM_F32(v_cvt_rpi_i32_f32, to_i32(floorf(a + 0.5f)))
FROM_F32(v_cvt_flr_i32_f32, to_i32(floorf(a)))
FROM_F32(v_cvt_f16_f32, sim_f32_to_f16(a))

#define PACK(name, expression)                                                                               \
  SIM_DO(name) {                                                                                             \
    sim_lanes ra, rb, room;                                                                                  \
    const sim_f32 *pa = sim_src_f32(w, inst, 0, ra), *pb = sim_src_f32(w, inst, 1, rb);                      \
    uint32_t *d = sim_begin(w, inst, room);                                                                  \
    LANES {                                                                                                  \
      float a = pa[l], b = pb[l];                                                                            \
      d[l] = (uint32_t)(expression);                                                                         \
    }                                                                                                        \
    sim_end(w, inst, d, room);                                                                               \
  }
PACK(v_cvt_pkrtz_f16_f32, to_f16_rtz(a) | to_f16_rtz(b) << 16)
PACK(v_cvt_pk_f16_f32, sim_f32_to_f16(a) | sim_f32_to_f16(b) << 16)
PACK(v_cvt_pk_bf16_f32, to_bf16(a) | to_bf16(b) << 16)

/* Converts source 0 into the byte of source 2 that source 1 chooses. */
SIM_DO(v_cvt_pk_u8_f32) {
  sim_lanes ra, rb, rc, room;
  const sim_f32 *pa = sim_src_f32(w, inst, 0, ra);
  const uint32_t *pb = sim_src(w, inst, 1, rb), *pc = sim_src(w, inst, 2, rc);
  uint32_t *d = sim_begin(w, inst, room);
  LANES {
    uint32_t shift = 8 * (pb[l] & 3);
    d[l] = (pc[l] & ~(0xffu << shift)) | to_u8(pa[l]) << shift;
  }
  sim_end(w, inst, d, room);
}

/* ---- f16 ---- */

#define BITS16(name, expression)                                                                             \
  SIM_DO(name) {                                                                                             \
    sim_lanes ra, room;                                                                                      \
    const uint32_t *pa = sim_src(w, inst, 0, ra);                                                            \
    uint32_t *d = sim_begin(w, inst, room);                                                                  \
    LANES {                                                                                                  \
      uint32_t a = pa[l];                                                                                    \
      d[l] = (uint32_t)(expression);                                                                         \
    }                                                                                                        \
    sim_end(w, inst, d, room);                                                                               \
  }
BITS16(v_cvt_f16_u16, sim_f32_to_f16((float)(uint16_t)a))
BITS16(v_cvt_f16_i16, sim_f32_to_f16((float)(int16_t)a))
BITS16(v_cvt_u16_f16, to_u16(sim_f16_to_f32(a)))
BITS16(v_cvt_i16_f16, to_i16(sim_f16_to_f32(a)))

SIM_DO(v_pack_b32_f16) {
  sim_lanes ra, rb, room;
  const uint32_t *pa = sim_src(w, inst, 0, ra), *pb = sim_src(w, inst, 1, rb);
  uint32_t *d = sim_begin(w, inst, room);
  LANES
  d[l] = (pa[l] & 0xffff) | pb[l] << 16;
  sim_end(w, inst, d, room);
}

/* ---- f64 ---- */

#define FROM_F64(name, type, begin, expression)                                                              \
  SIM_DO(name) {                                                                                             \
    sim_lanes64 ra;                                                                                          \
    sim_lanes room;                                                                                          \
    const uint32_t *pa = sim_src64(w, inst, 0, ra);                                                          \
    type *d = begin(w, inst, room);                                                                          \
    LANES {                                                                                                  \
      double a = sim_as_f64(sim_join(pa[l], pa[SIM_LANES + l]));                                             \
      d[l] = (type)(expression);                                                                             \
    }                                                                                                        \
    sim_end(w, inst, d, room);                                                                               \
  }
FROM_F64(v_cvt_i32_f64, uint32_t, sim_begin, to_i32_64(a))
FROM_F64(v_cvt_u32_f64, uint32_t, sim_begin, to_u32_64(a))
FROM_F64(v_cvt_f32_f64, sim_f32, sim_begin_f32, a)

#define TO_F64(name, expression)                                                                             \
  SIM_DO(name) {                                                                                             \
    sim_lanes ra;                                                                                            \
    sim_lanes64 room;                                                                                        \
    const uint32_t *pa = sim_src(w, inst, 0, ra);                                                            \
    uint32_t *d = sim_begin(w, inst, room);                                                                  \
    LANES {                                                                                                  \
      uint32_t a = pa[l];                                                                                    \
      uint64_t bits = sim_bits_f64((double)(expression));                                                    \
      d[l] = (uint32_t)bits;                                                                                 \
      d[SIM_LANES + l] = (uint32_t)(bits >> 32);                                                             \
    }                                                                                                        \
    sim_end64(w, inst, d, room);                                                                             \
  }
TO_F64(v_cvt_f64_i32, (int32_t)a)
TO_F64(v_cvt_f64_u32, a)
TO_F64(v_cvt_f64_f32, sim_as_f32(w->mode &SIM_MODE_F32_IN ? a : sim_flush_bits(a)))
