#include "isa_float.h"

static unsigned width_of(enum isa_format f) {
  return f == ISA_F64 ? 64 : f == ISA_F32 ? 32 : 16;
}

static uint64_t part_of(uint64_t value, enum isa_format f, unsigned index) {
  unsigned width = width_of(f);
  return width == 64 ? value : value >> index * width & ((UINT64_C(1) << width) - 1);
}

uint64_t isa_source(const struct isa_lane *x, unsigned i, enum isa_format f) {
  uint64_t bits = part_of(i < 3 ? x->s[i] : x->old, f, 0);
  return isa_keeps_in(f, x->mode) ? bits : isa_flush(f, bits);
}

struct isa_real isa_value_of(const struct isa_lane *x, unsigned i, enum isa_format f) {
  return isa_real(f, isa_source(x, i, f));
}

uint64_t isa_result(struct isa_lane *x, enum isa_format f, struct isa_real value) {
  uint64_t bits = isa_round(value, f, ISA_NEAREST);
  x->any_nan = value.kind == ISA_NAN;
  return isa_keeps_out(f, x->mode) ? bits : isa_flush(f, bits);
}

uint64_t isa_result_of(struct isa_lane *x, enum isa_format f, const uint64_t *numbers, unsigned count,
                       struct isa_real value) {
  uint64_t nan = 0;
  unsigned nans = 0;
  for (unsigned i = 0; i < count; i++)
    if (isa_is_nan(f, numbers[i])) {
      nan = isa_quiet(f, numbers[i]);
      nans++;
    }
  uint64_t result = isa_result(x, f, value);
  x->any_nan = value.kind == ISA_NAN && nans != 1;
  return nans ? nan : result;
}

uint64_t isa_place(const struct isa_lane *x, char type, uint64_t result) {
  return type == 'h' ? result & 0xffff : type == 'H' ? (x->old & 0xffff0000) | (result & 0xffff) : result;
}

/* ---- min, max ---- */

/* What both do with NaNs, which have no order; false: the numbers decide. */
static bool without_order(const struct isa_lane *x, enum isa_format f, uint64_t a, uint64_t b,
                          uint64_t *result) {
  bool ieee = x->mode >> 9 & 1;
  if (ieee && isa_is_signalling(f, a))
    *result = isa_quiet(f, a);
  else if (ieee && isa_is_signalling(f, b))
    *result = isa_quiet(f, b);
  else if (isa_is_nan(f, a))
    *result = b;
  else if (isa_is_nan(f, b))
    *result = a;
  else
    return false;
  return true;
}

/* -0 is less than 0 here. */
static bool less(enum isa_format f, uint64_t a, uint64_t b) {
  int order = isa_order(isa_real(f, a), isa_real(f, b));
  return order < 0 || (order == 0 && (a & isa_sign_bit(f)) && !(b & isa_sign_bit(f)));
}

uint64_t isa_minimum(const struct isa_lane *x, enum isa_format f, uint64_t a, uint64_t b) {
  uint64_t result;
  return without_order(x, f, a, b, &result) ? result : less(f, a, b) ? a : b;
}

uint64_t isa_maximum(const struct isa_lane *x, enum isa_format f, uint64_t a, uint64_t b) {
  uint64_t result;
  return without_order(x, f, a, b, &result) ? result : less(f, a, b) ? b : a;
}

/* ---- packed ---- */

uint64_t isa_both(struct isa_lane *x, enum isa_format f,
                  uint64_t (*part)(struct isa_lane *, enum isa_format)) {
  uint64_t result = 0;
  unsigned any = 0;
  for (unsigned i = 0; i < 2; i++) {
    struct isa_lane half = *x;
    for (unsigned k = 0; k < 3; k++)
      half.s[k] = part_of(x->s[k], f, i);
    half.old = part_of(x->old, f, i);
    result |= part(&half, f) << i * width_of(f);
    any |= half.any_nan << i;
  }
  x->any_nan = any;
  return result;
}
