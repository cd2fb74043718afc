/* What atomics do to a value, for memory and LDS alike. */
#ifndef SIM_ATOMIC_H
#define SIM_ATOMIC_H

#include "bench/hipsim/sim_move.h"
#include "bench/hipsim/sim_valu.h"

enum sim_atomic_op {
  SIM_ATOMIC_SWAP,
  SIM_ATOMIC_CMPSWAP,
  SIM_ATOMIC_CMPSWAP_F, /* compares as floating point */
  SIM_ATOMIC_ADD,
  SIM_ATOMIC_SUB,
  SIM_ATOMIC_RSUB,
  SIM_ATOMIC_SMIN,
  SIM_ATOMIC_UMIN,
  SIM_ATOMIC_SMAX,
  SIM_ATOMIC_UMAX,
  SIM_ATOMIC_AND,
  SIM_ATOMIC_OR,
  SIM_ATOMIC_XOR,
  SIM_ATOMIC_INC,
  SIM_ATOMIC_DEC,
  SIM_ATOMIC_ADD_F, /* f32: denormals by the bits of MODE that it is given */
  SIM_ATOMIC_MIN_F,
  SIM_ATOMIC_MAX_F,
  SIM_ATOMIC_PK_ADD_F16,
  SIM_ATOMIC_PK_ADD_BF16,
};

SIM_ALWAYS float sim_float_of(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

SIM_ALWAYS uint32_t sim_bits_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

SIM_ALWAYS double sim_double_of(uint64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

SIM_ALWAYS uint64_t sim_bits_of_double(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/* An f32 sum rounded again is the f16 sum rounded once. */
SIM_ALWAYS uint32_t sim_pk_add_f16(uint32_t a, uint32_t b) {
  uint32_t low = sim_f32_to_f16(sim_f16_to_f32(a) + sim_f16_to_f32(b));
  uint32_t high = sim_f32_to_f16(sim_f16_to_f32(a >> 16) + sim_f16_to_f32(b >> 16));
  return high << 16 | low;
}

/* Nearest even; a NaN stays one. */
SIM_ALWAYS uint32_t sim_bf16_of(float value) {
  uint32_t bits = sim_bits_of(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) {
    return bits >> 16 | 0x40u;
  }
  return (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
}

SIM_ALWAYS uint32_t sim_pk_add_bf16(uint32_t a, uint32_t b) {
  uint32_t low = sim_bf16_of(sim_float_of(a << 16) + sim_float_of(b << 16));
  uint32_t high = sim_bf16_of(sim_float_of(a & 0xffff0000u) + sim_float_of(b & 0xffff0000u));
  return high << 16 | low;
}

/* What a sum of f32 does to denormals, as bits of MODE. In LDS it goes by MODE; in memory gfx908 and gfx90a flush them and
 * gfx942 keeps them (LLVM, AMDGPU target: SIISelLowering on floating-point atomics, and the feature
 * memory-atomic-fadd-f32-denormal-support). Sums of f64 always keep them. */
SIM_ALWAYS uint32_t sim_memory_denormals(const struct sim_wave *w) {
  return w->code->arch >= SIM_GFX942 ? SIM_MODE_F32_IN | SIM_MODE_F32_OUT : 0;
}

SIM_ALWAYS uint32_t sim_add_f32(uint32_t a, uint32_t b, uint32_t mode) {
  if ((mode & SIM_MODE_F32_IN) == 0) {
    a = sim_flush_bits(a);
    b = sim_flush_bits(b);
  }
  uint32_t sum = sim_bits_of(sim_float_of(a) + sim_float_of(b));
  return mode & SIM_MODE_F32_OUT ? sum : sim_flush_bits(sum);
}

/* Minimum and maximum are comparisons, as the guides have it: one with a NaN does not hold, and the old value stays. */
SIM_ALWAYS uint32_t sim_atomic_float32(enum sim_atomic_op op, uint32_t old, uint32_t data, uint32_t compare,
                                       uint32_t mode) {
  float a = sim_float_of(old), b = sim_float_of(data);
  switch (op) {
  case SIM_ATOMIC_ADD_F:
    return sim_add_f32(old, data, mode);
  case SIM_ATOMIC_MIN_F:
    return b < a ? data : old;
  case SIM_ATOMIC_MAX_F:
    return b > a ? data : old;
  case SIM_ATOMIC_CMPSWAP_F:
    return a == sim_float_of(compare) ? data : old;
  case SIM_ATOMIC_PK_ADD_F16:
    return sim_pk_add_f16(old, data);
  default:
    return sim_pk_add_bf16(old, data);
  }
}

SIM_ALWAYS uint64_t sim_atomic_float64(enum sim_atomic_op op, uint64_t old, uint64_t data, uint64_t compare,
                                       uint32_t mode) {
  (void)mode;
  double a = sim_double_of(old), b = sim_double_of(data);
  switch (op) {
  case SIM_ATOMIC_ADD_F:
    return sim_bits_of_double(a + b);
  case SIM_ATOMIC_MIN_F:
    return b < a ? data : old;
  case SIM_ATOMIC_MAX_F:
    return b > a ? data : old;
  default:
    return a == sim_double_of(compare) ? data : old;
  }
}

#define SIM_ATOMIC_APPLY(bits)                                                                               \
  SIM_ALWAYS uint##bits##_t sim_atomic_apply##bits(enum sim_atomic_op op, uint##bits##_t old,                \
                                                   uint##bits##_t data, uint##bits##_t compare,              \
                                                   uint32_t mode) {                                          \
    switch (op) {                                                                                            \
    case SIM_ATOMIC_SWAP:                                                                                    \
      return data;                                                                                           \
    case SIM_ATOMIC_CMPSWAP:                                                                                 \
      return old == compare ? data : old;                                                                    \
    case SIM_ATOMIC_ADD:                                                                                     \
      return old + data;                                                                                     \
    case SIM_ATOMIC_SUB:                                                                                     \
      return old - data;                                                                                     \
    case SIM_ATOMIC_RSUB:                                                                                    \
      return data - old;                                                                                     \
    case SIM_ATOMIC_SMIN:                                                                                    \
      return (int##bits##_t)data < (int##bits##_t)old ? data : old;                                          \
    case SIM_ATOMIC_UMIN:                                                                                    \
      return data < old ? data : old;                                                                        \
    case SIM_ATOMIC_SMAX:                                                                                    \
      return (int##bits##_t)data > (int##bits##_t)old ? data : old;                                          \
    case SIM_ATOMIC_UMAX:                                                                                    \
      return data > old ? data : old;                                                                        \
    case SIM_ATOMIC_AND:                                                                                     \
      return old & data;                                                                                     \
    case SIM_ATOMIC_OR:                                                                                      \
      return old | data;                                                                                     \
    case SIM_ATOMIC_XOR:                                                                                     \
      return old ^ data;                                                                                     \
    case SIM_ATOMIC_INC:                                                                                     \
      return old >= data ? 0 : old + 1;                                                                      \
    case SIM_ATOMIC_DEC:                                                                                     \
      return old == 0 || old > data ? data : old - 1;                                                        \
    default:                                                                                                 \
      return sim_atomic_float##bits(op, old, data, compare, mode);                                           \
    }                                                                                                        \
  }                                                                                                          \
  /* Other threads run other workgroups, so a change of memory is one of the host's atomics. */              \
  SIM_ALWAYS uint##bits##_t sim_atomic_update##bits(enum sim_atomic_op op, void *place, uint##bits##_t data, \
                                                    uint##bits##_t compare, uint32_t mode) {                 \
    uint##bits##_t *cell = place;                                                                            \
    uint##bits##_t old = __atomic_load_n(cell, __ATOMIC_RELAXED), new;                                       \
    do {                                                                                                     \
      new = sim_atomic_apply##bits(op, old, data, compare, mode);                                            \
    } while (!__atomic_compare_exchange_n(cell, &old, new, true, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));       \
    return old;                                                                                              \
  }

SIM_ATOMIC_APPLY(32)
SIM_ATOMIC_APPLY(64)

/* Updates `place` with lane's data: data, and behind it what cmpswap compares with. Returns the old value. */
SIM_ALWAYS uint64_t sim_atomic_lane(enum sim_atomic_op op, unsigned dwords, void *place, const sim_vreg *data,
                                    unsigned lane, uint32_t mode) {
  bool compares = op == SIM_ATOMIC_CMPSWAP;
  if (dwords == 1) {
    return sim_atomic_update32(op, place, data[0][lane], compares ? data[1][lane] : 0, mode);
  }
  uint64_t value = (uint64_t)data[1][lane] << 32 | data[0][lane];
  uint64_t compare = compares ? (uint64_t)data[3][lane] << 32 | data[2][lane] : 0;
  return sim_atomic_update64(op, place, value, compare, mode);
}

#define SIM_ATOMICS(X, space)                                                                                \
  X(space, swap, SIM_ATOMIC_SWAP, 1)                                                                         \
  X(space, cmpswap, SIM_ATOMIC_CMPSWAP, 1)                                                                   \
  X(space, add, SIM_ATOMIC_ADD, 1)                                                                           \
  X(space, sub, SIM_ATOMIC_SUB, 1)                                                                           \
  X(space, smin, SIM_ATOMIC_SMIN, 1)                                                                         \
  X(space, umin, SIM_ATOMIC_UMIN, 1)                                                                         \
  X(space, smax, SIM_ATOMIC_SMAX, 1)                                                                         \
  X(space, umax, SIM_ATOMIC_UMAX, 1)                                                                         \
  X(space, and, SIM_ATOMIC_AND, 1)                                                                           \
  X(space, or, SIM_ATOMIC_OR, 1)                                                                             \
  X(space, xor, SIM_ATOMIC_XOR, 1)                                                                           \
  X(space, inc, SIM_ATOMIC_INC, 1)                                                                           \
  X(space, dec, SIM_ATOMIC_DEC, 1)                                                                           \
  X(space, add_f32, SIM_ATOMIC_ADD_F, 1)                                                                     \
  X(space, pk_add_f16, SIM_ATOMIC_PK_ADD_F16, 1)                                                             \
  X(space, pk_add_bf16, SIM_ATOMIC_PK_ADD_BF16, 1)                                                           \
  X(space, add_f64, SIM_ATOMIC_ADD_F, 2)                                                                     \
  X(space, min_f64, SIM_ATOMIC_MIN_F, 2)                                                                     \
  X(space, max_f64, SIM_ATOMIC_MAX_F, 2)                                                                     \
  X(space, swap_x2, SIM_ATOMIC_SWAP, 2)                                                                      \
  X(space, cmpswap_x2, SIM_ATOMIC_CMPSWAP, 2)                                                                \
  X(space, add_x2, SIM_ATOMIC_ADD, 2)                                                                        \
  X(space, sub_x2, SIM_ATOMIC_SUB, 2)                                                                        \
  X(space, smin_x2, SIM_ATOMIC_SMIN, 2)                                                                      \
  X(space, umin_x2, SIM_ATOMIC_UMIN, 2)                                                                      \
  X(space, smax_x2, SIM_ATOMIC_SMAX, 2)                                                                      \
  X(space, umax_x2, SIM_ATOMIC_UMAX, 2)                                                                      \
  X(space, and_x2, SIM_ATOMIC_AND, 2)                                                                        \
  X(space, or_x2, SIM_ATOMIC_OR, 2)                                                                          \
  X(space, xor_x2, SIM_ATOMIC_XOR, 2)                                                                        \
  X(space, inc_x2, SIM_ATOMIC_INC, 2)                                                                        \
  X(space, dec_x2, SIM_ATOMIC_DEC, 2)

#endif
