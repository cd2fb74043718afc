/* Vector compares: a bit a lane into a scalar pair, and into EXEC as well for v_cmpx. Bits of inactive lanes are
 * zero (CDNA2 ISA guide, "VOPC"). */
#include "bench/hipsim/sim_valu.h"

static void write_mask(struct sim_wave *w, const struct sim_inst *inst, const uint32_t *result,
                       bool to_exec) {
  uint64_t mask = sim_mask_of(result) & SIM_NAME(sim_write_mask)(w, inst);
  sim_write_s64(w, inst->sdst, mask);
  if (to_exec)
    sim_write_s64(w, SIM_EXEC_LO, mask);
}

/* ---- readers: lane l of a source ---- */

static inline uint32_t get_u32(const uint32_t *s, unsigned l) {
  return s[l];
}
static inline int32_t get_i32(const uint32_t *s, unsigned l) {
  return (int32_t)s[l];
}
static inline uint16_t get_u16(const uint32_t *s, unsigned l) {
  return (uint16_t)s[l];
}
static inline int16_t get_i16(const uint32_t *s, unsigned l) {
  return (int16_t)s[l];
}
static inline uint64_t get_u64(const uint32_t *s, unsigned l) {
  return sim_join(s[l], s[SIM_LANES + l]);
}
static inline int64_t get_i64(const uint32_t *s, unsigned l) {
  return (int64_t)get_u64(s, l);
}
static inline float get_f16(const uint32_t *s, unsigned l) {
  return sim_f16_to_f32(s[l]);
}
static inline float get_f32(const uint32_t *s, unsigned l) {
  return sim_as_f32(s[l]);
}
static inline double get_f64(const uint32_t *s, unsigned l) {
  return sim_as_f64(get_u64(s, l));
}

static inline const uint32_t *source_f32(const struct sim_wave *w, const struct sim_inst *inst, unsigned i,
                                         uint32_t *room) {
  return (const uint32_t *)(const void *)sim_src_f32(w, inst, i, room);
}

#define ONE_COMPARE(name, type, get, room_type, source, condition, to_exec)                                  \
  SIM_DO(name) {                                                                                             \
    room_type ra, rb;                                                                                        \
    sim_lanes result;                                                                                        \
    const uint32_t *pa = source(w, inst, 0, ra), *pb = source(w, inst, 1, rb);                               \
    LANES {                                                                                                  \
      type a = get(pa, l), b = get(pb, l);                                                                   \
      result[l] = 0u - (uint32_t)(condition);                                                                \
    }                                                                                                        \
    write_mask(w, inst, result, to_exec);                                                                    \
  }
#define COMPARE(type, get, room, source, cond, suffix, condition)                                            \
  ONE_COMPARE(v_cmp_##cond##_##suffix, type, get, room, source, condition, false)                            \
  ONE_COMPARE(v_cmpx_##cond##_##suffix, type, get, room, source, condition, true)

/* Some compares do not look at their sources. */
#define CONSTANT(cond, suffix, value)                                                                        \
  SIM_DO(v_cmp_##cond##_##suffix) {                                                                          \
    sim_write_s64(w, inst->sdst, (value)&SIM_NAME(sim_write_mask)(w, inst));                                 \
  }                                                                                                          \
  SIM_DO(v_cmpx_##cond##_##suffix) {                                                                         \
    uint64_t mask = (value)&SIM_NAME(sim_write_mask)(w, inst);                                               \
    sim_write_s64(w, inst->sdst, mask);                                                                      \
    sim_write_s64(w, SIM_EXEC_LO, mask);                                                                     \
  }

#define INTEGER_COMPARES(type, get, room, source, suffix)                                                    \
  CONSTANT(f, suffix, UINT64_C(0))                                                                           \
  COMPARE(type, get, room, source, lt, suffix, a < b)                                                        \
  COMPARE(type, get, room, source, eq, suffix, a == b)                                                       \
  COMPARE(type, get, room, source, le, suffix, a <= b)                                                       \
  COMPARE(type, get, room, source, gt, suffix, a > b)                                                        \
  COMPARE(type, get, room, source, ne, suffix, a != b)                                                       \
  COMPARE(type, get, room, source, ge, suffix, a >= b)                                                       \
  CONSTANT(t, suffix, UINT64_MAX)

INTEGER_COMPARES(int16_t, get_i16, sim_lanes, sim_src, i16)
INTEGER_COMPARES(uint16_t, get_u16, sim_lanes, sim_src, u16)
INTEGER_COMPARES(int32_t, get_i32, sim_lanes, sim_src, i32)
INTEGER_COMPARES(uint32_t, get_u32, sim_lanes, sim_src, u32)
INTEGER_COMPARES(int64_t, get_i64, sim_lanes64, sim_src64, i64)
INTEGER_COMPARES(uint64_t, get_u64, sim_lanes64, sim_src64, u64)

/* lg: less or greater, so not unordered; the n- forms are negations, true for unordered. */
#define FLOAT_COMPARES(type, get, room, source, suffix)                                                      \
  CONSTANT(f, suffix, UINT64_C(0))                                                                           \
  COMPARE(type, get, room, source, lt, suffix, a < b)                                                        \
  COMPARE(type, get, room, source, eq, suffix, a == b)                                                       \
  COMPARE(type, get, room, source, le, suffix, a <= b)                                                       \
  COMPARE(type, get, room, source, gt, suffix, a > b)                                                        \
  COMPARE(type, get, room, source, lg, suffix, (a < b) | (a > b))                                            \
  COMPARE(type, get, room, source, ge, suffix, a >= b)                                                       \
  COMPARE(type, get, room, source, o, suffix, (a == a) & (b == b))                                           \
  COMPARE(type, get, room, source, u, suffix, (a != a) | (b != b))                                           \
  COMPARE(type, get, room, source, nge, suffix, !(a >= b))                                                   \
  COMPARE(type, get, room, source, nlg, suffix, !((a < b) | (a > b)))                                        \
  COMPARE(type, get, room, source, ngt, suffix, !(a > b))                                                    \
  COMPARE(type, get, room, source, nle, suffix, !(a <= b))                                                   \
  COMPARE(type, get, room, source, neq, suffix, !(a == b))                                                   \
  COMPARE(type, get, room, source, nlt, suffix, !(a < b))                                                    \
  CONSTANT(tru, suffix, UINT64_MAX)

FLOAT_COMPARES(float, get_f16, sim_lanes, sim_src_f16, f16)
FLOAT_COMPARES(float, get_f32, sim_lanes, source_f32, f32)
FLOAT_COMPARES(double, get_f64, sim_lanes64, sim_src_f64, f64)

/* ---- classes ---- */

/* Bit of a number's class in the mask of v_cmp_class, from its sign, exponent (0 smallest, 1 others, 2 largest), whether
 * it has fraction bits, and whether the first of them (quiet) is set. */
static inline uint32_t class_bit(bool negative, unsigned exponent, bool fraction, bool first) {
  if (exponent == 2 && fraction)
    return first ? 1u << 1 : 1u << 0;
  if (exponent == 2)
    return negative ? 1u << 2 : 1u << 9;
  if (exponent == 1)
    return negative ? 1u << 3 : 1u << 8;
  if (fraction)
    return negative ? 1u << 4 : 1u << 7;
  return negative ? 1u << 5 : 1u << 6;
}

static inline uint32_t class_f16(uint32_t x) {
  uint32_t e = x >> 10 & 31;
  return class_bit(x >> 15 & 1, e == 31 ? 2 : e != 0, (x & 0x3ff) != 0, x >> 9 & 1);
}

static inline uint32_t class_f32(uint32_t x) {
  uint32_t e = x >> 23 & 255;
  return class_bit(x >> 31, e == 255 ? 2 : e != 0, (x & 0x7fffff) != 0, x >> 22 & 1);
}

static inline uint32_t class_f64(uint64_t x) {
  uint32_t e = x >> 52 & 2047;
  return class_bit(x >> 63, e == 2047 ? 2 : e != 0, (x & UINT64_C(0xfffffffffffff)) != 0, x >> 51 & 1);
}

#define ONE_CLASS(name, get, room, source, class_of, to_exec)                                                \
  SIM_DO(name) {                                                                                             \
    room ra;                                                                                                 \
    sim_lanes rb, result;                                                                                    \
    const uint32_t *pa = source(w, inst, 0, ra), *pb = sim_src(w, inst, 1, rb);                              \
    for (unsigned l = 0; l < SIM_LANES; l++)                                                                 \
      result[l] = class_of(get(pa, l)) & pb[l] ? UINT32_MAX : 0;                                             \
    write_mask(w, inst, result, to_exec);                                                                    \
  }
#define CLASS(suffix, get, room, source)                                                                     \
  ONE_CLASS(v_cmp_class_##suffix, get, room, source, class_##suffix, false)                                  \
  ONE_CLASS(v_cmpx_class_##suffix, get, room, source, class_##suffix, true)
CLASS(f16, get_u32, sim_lanes, sim_src)
CLASS(f32, get_u32, sim_lanes, sim_src)
CLASS(f64, get_u64, sim_lanes64, sim_src64)
