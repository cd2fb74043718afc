#include "isa_atomic.h"

#include <stddef.h>

#include "isa_real.h"
#include "isa_values.h"

/* ---- integers ---- */

static uint64_t cut(const struct isa_cell *c, uint64_t value) {
  return c->width == 64 ? value : value & UINT32_MAX;
}

static int64_t as_signed(const struct isa_cell *c, uint64_t value) {
  return c->width == 64 ? (int64_t)value : (int32_t)(uint32_t)value;
}

uint64_t isa_swap(const struct isa_cell *c) {
  return c->data;
}

uint64_t isa_cmpswap(const struct isa_cell *c) {
  return c->old == c->compare ? c->data : c->old;
}

uint64_t isa_atomic_add(const struct isa_cell *c) {
  return cut(c, c->old + c->data);
}

uint64_t isa_atomic_sub(const struct isa_cell *c) {
  return cut(c, c->old - c->data);
}

uint64_t isa_atomic_rsub(const struct isa_cell *c) {
  return cut(c, c->data - c->old);
}

uint64_t isa_smin(const struct isa_cell *c) {
  return as_signed(c, c->data) < as_signed(c, c->old) ? c->data : c->old;
}

uint64_t isa_umin(const struct isa_cell *c) {
  return c->data < c->old ? c->data : c->old;
}

uint64_t isa_smax(const struct isa_cell *c) {
  return as_signed(c, c->data) >= as_signed(c, c->old) ? c->data : c->old;
}

uint64_t isa_umax(const struct isa_cell *c) {
  return c->data >= c->old ? c->data : c->old;
}

uint64_t isa_and(const struct isa_cell *c) {
  return c->old & c->data;
}

uint64_t isa_or(const struct isa_cell *c) {
  return c->old | c->data;
}

uint64_t isa_xor(const struct isa_cell *c) {
  return c->old ^ c->data;
}

/* Counts up to the data and begins again at zero. */
uint64_t isa_inc(const struct isa_cell *c) {
  return c->old < c->data ? c->old + 1 : 0;
}

/* Counts down to zero and begins again at the data. */
uint64_t isa_dec(const struct isa_cell *c) {
  return c->old > 0 && c->old <= c->data ? c->old - 1 : c->data;
}

/* Bits of the first operand are cleared, then those of the second are set. */
uint64_t isa_mskor(const struct isa_cell *c) {
  return (c->old & ~c->data) | c->compare;
}

uint64_t isa_wrap(const struct isa_cell *c) {
  return cut(c, c->old < c->data ? c->old + c->compare : c->old - c->data);
}

/* ---- floating point ---- */

static enum isa_format format_of(const struct isa_cell *c) {
  return c->width == 64 ? ISA_F64 : ISA_F32;
}

static int order(const struct isa_cell *c, uint64_t a, uint64_t b) {
  return isa_order(isa_real(format_of(c), a), isa_real(format_of(c), b));
}

uint64_t isa_cmpswap_float(const struct isa_cell *c) {
  return order(c, c->old, c->compare) == 0 ? c->data : c->old;
}

/* Comparisons with a NaN do not hold, so what is there stays. */
uint64_t isa_min_float(const struct isa_cell *c) {
  return order(c, c->data, c->old) == -1 ? c->data : c->old;
}

uint64_t isa_max_float(const struct isa_cell *c) {
  return order(c, c->data, c->old) == 1 ? c->data : c->old;
}

static uint64_t sum(enum isa_format format, uint64_t a, uint64_t b) {
  return isa_round(isa_add(isa_real(format, a), isa_real(format, b)), format, ISA_NEAREST);
}

/* f32 in LDS goes by MODE; in memory gfx908 and gfx90a flush denormals and gfx942 keeps them. f64 always keeps them. (LLVM,
 * AMDGPU target: the feature memory-atomic-fadd-f32-denormal-support; SIISelLowering on floating-point atomics.) */
uint64_t isa_add_float(const struct isa_cell *c) {
  const enum isa_format format = format_of(c);
  bool keeps_in = true, keeps_out = true;
  if (format == ISA_F32 && c->lds) {
    keeps_in = isa_keeps_in(format, c->mode);
    keeps_out = isa_keeps_out(format, c->mode);
  } else if (format == ISA_F32) {
    keeps_in = keeps_out = c->arch >= SIM_GFX942;
  }
  const uint64_t a = keeps_in ? c->old : isa_flush(format, c->old);
  const uint64_t b = keeps_in ? c->data : isa_flush(format, c->data);
  const uint64_t result = sum(format, a, b);
  return keeps_out ? result : isa_flush(format, result);
}

static uint64_t halves(enum isa_format format, const struct isa_cell *c) {
  return sum(format, c->old & 0xffff, c->data & 0xffff) | sum(format, c->old >> 16, c->data >> 16) << 16;
}

uint64_t isa_pk_add_f16(const struct isa_cell *c) {
  return halves(ISA_F16, c);
}

uint64_t isa_pk_add_bf16(const struct isa_cell *c) {
  return halves(ISA_BF16, c);
}

/* ---- numbers ---- */

enum isa_numbers isa_numbers_of(isa_update *update) {
  if (update == isa_add_float)
    return ISA_SUMS_OF_FLOATS;
  if (update == isa_pk_add_f16)
    return ISA_SUMS_OF_F16;
  if (update == isa_pk_add_bf16)
    return ISA_SUMS_OF_BF16;
  return update == isa_min_float || update == isa_max_float || update == isa_cmpswap_float ? ISA_FLOATS
                                                                                           : ISA_INTEGERS;
}

/* A few values that meet often, edges, and anything. */
static uint64_t any(char type, uint64_t *state) {
  const uint64_t choice = isa_random(state) % 4, count = isa_value_count(type);
  if (choice == 0)
    return isa_value(type, isa_random(state) % 4);
  return choice == 3 ? isa_random_value(type, state) : isa_value(type, isa_random(state) % count);
}

/* No NaNs, and infinities of one sign: the guides do not say which NaN a sum gives. */
static uint64_t summand(char type, enum isa_format format, uint64_t *state) {
  for (;;) {
    const uint64_t bits = any(type, state) & (format == ISA_F16 ? 0xffff : UINT64_MAX);
    if (!isa_is_nan(format, bits) && bits != (isa_infinity(format) | isa_sign_bit(format)))
      return bits;
  }
}

uint64_t isa_number(enum isa_numbers numbers, unsigned width, uint64_t *state) {
  switch (numbers) {
  case ISA_INTEGERS:
    return any(width == 64 ? 'l' : 'i', state);
  case ISA_FLOATS:
    return any(width == 64 ? 'd' : 'f', state);
  case ISA_SUMS_OF_FLOATS:
    return width == 64 ? summand('d', ISA_F64, state) : summand('f', ISA_F32, state);
  case ISA_SUMS_OF_F16:
    return summand('h', ISA_F16, state) | summand('h', ISA_F16, state) << 16;
  default: /* the upper halves of f32 */
    return summand('f', ISA_F32, state) >> 16 | (summand('f', ISA_F32, state) & 0xffff0000);
  }
}
