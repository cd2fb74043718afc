#include "isa_real.h"

static const struct {
  int width, fraction, bias;
} formats[] = {[ISA_F16] = {16, 10, 15},
               [ISA_BF16] = {16, 7, 127},
               [ISA_F32] = {32, 23, 127},
               [ISA_F64] = {64, 52, 1023}};

/* ---- bits ---- */

uint64_t isa_sign_bit(enum isa_format format) {
  return UINT64_C(1) << (formats[format].width - 1);
}

static uint64_t fraction_mask(enum isa_format format) {
  return (UINT64_C(1) << formats[format].fraction) - 1;
}

uint64_t isa_infinity(enum isa_format format) {
  return (isa_sign_bit(format) - 1) & ~fraction_mask(format);
}

static uint64_t magnitude_bits(enum isa_format format, uint64_t bits) {
  return bits & (isa_sign_bit(format) - 1);
}

bool isa_is_nan(enum isa_format format, uint64_t bits) {
  return magnitude_bits(format, bits) > isa_infinity(format);
}

uint64_t isa_quiet(enum isa_format format, uint64_t bits) {
  return bits | UINT64_C(1) << (formats[format].fraction - 1);
}

bool isa_is_signalling(enum isa_format format, uint64_t bits) {
  return isa_is_nan(format, bits) && isa_quiet(format, bits) != bits;
}

bool isa_is_denormal(enum isa_format format, uint64_t bits) {
  uint64_t magnitude = magnitude_bits(format, bits);
  return magnitude != 0 && magnitude <= fraction_mask(format);
}

uint64_t isa_flush(enum isa_format format, uint64_t bits) {
  return isa_is_denormal(format, bits) ? bits & isa_sign_bit(format) : bits;
}

bool isa_keeps_in(enum isa_format format, uint32_t mode) {
  return mode >> (format == ISA_F32 ? 4 : 6) & 1;
}

bool isa_keeps_out(enum isa_format format, uint32_t mode) {
  return mode >> (format == ISA_F32 ? 5 : 7) & 1;
}

/* ---- numbers ---- */

struct isa_real isa_real(enum isa_format format, uint64_t bits) {
  uint64_t fraction = bits & fraction_mask(format);
  uint64_t field = magnitude_bits(format, bits) >> formats[format].fraction;
  struct isa_real r = {.negative = (bits & isa_sign_bit(format)) != 0};
  if (magnitude_bits(format, bits) >= isa_infinity(format)) {
    r.kind = fraction ? ISA_NAN : ISA_INFINITE;
    return r;
  }
  r.kind = field || fraction ? ISA_FINITE : ISA_ZERO;
  r.magnitude = field ? fraction | UINT64_C(1) << formats[format].fraction : fraction;
  r.exponent = (field ? (int)field : 1) - formats[format].bias - formats[format].fraction;
  return r;
}

struct isa_real isa_integer(int64_t value) {
  uint64_t magnitude = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
  return (struct isa_real){
      .kind = value ? ISA_FINITE : ISA_ZERO, .negative = value < 0, .magnitude = magnitude};
}

struct isa_real isa_scale(struct isa_real a, int power) {
  a.exponent += power;
  return a;
}

struct isa_real isa_negate(struct isa_real a) {
  a.negative = !a.negative;
  return a;
}

static const struct isa_real nan_value = {.kind = ISA_NAN};

struct isa_real isa_multiply(struct isa_real a, struct isa_real b) {
  bool negative = a.negative != b.negative;
  if (a.kind == ISA_NAN || b.kind == ISA_NAN || (a.kind == ISA_INFINITE && b.kind == ISA_ZERO) ||
      (a.kind == ISA_ZERO && b.kind == ISA_INFINITE))
    return nan_value;
  if (a.kind == ISA_INFINITE || b.kind == ISA_INFINITE)
    return (struct isa_real){.kind = ISA_INFINITE, .negative = negative};
  if (a.kind == ISA_ZERO || b.kind == ISA_ZERO)
    return (struct isa_real){.kind = ISA_ZERO, .negative = negative};
  return (struct isa_real){.kind = ISA_FINITE,
                           .negative = negative,
                           .magnitude = a.magnitude * b.magnitude,
                           .exponent = a.exponent + b.exponent};
}

static struct isa_real shifted_down(struct isa_real a, int by) {
  isa_wide kept = by > 127 ? 0 : a.magnitude >> by;
  a.sticky = a.sticky || by > 127 || kept << by != a.magnitude;
  a.magnitude = kept;
  a.exponent += by;
  return a;
}

/* The highest bit at 2^125, so that a sum has room and the lower operand keeps all that can matter. */
static struct isa_real normal(struct isa_real a) {
  while (a.magnitude >> 126)
    a = shifted_down(a, 1);
  while (!(a.magnitude >> 125)) {
    a.magnitude <<= 1;
    a.exponent--;
  }
  return a;
}

static struct isa_real add_finite(struct isa_real a, struct isa_real b) {
  a = normal(a);
  b = normal(b);
  if (a.exponent < b.exponent || (a.exponent == b.exponent && a.magnitude < b.magnitude)) {
    struct isa_real swap = a;
    a = b;
    b = swap;
  }
  b = shifted_down(b, a.exponent - b.exponent);
  if (a.negative == b.negative)
    a.magnitude += b.magnitude;
  else
    a.magnitude -= b.magnitude + (b.sticky ? 1 : 0); /* what is left of the unit is the new sticky part */
  a.sticky = b.sticky;
  if (a.magnitude == 0 && !a.sticky)
    return (struct isa_real){.kind = ISA_ZERO};
  return a;
}

struct isa_real isa_add(struct isa_real a, struct isa_real b) {
  if (a.kind == ISA_NAN || b.kind == ISA_NAN)
    return nan_value;
  if (a.kind == ISA_INFINITE)
    return b.kind == ISA_INFINITE && a.negative != b.negative ? nan_value : a;
  if (b.kind == ISA_INFINITE || a.kind == ISA_ZERO) {
    if (a.kind == ISA_ZERO && b.kind == ISA_ZERO)
      b.negative = a.negative && b.negative;
    return b;
  }
  return b.kind == ISA_ZERO ? a : add_finite(a, b);
}

int isa_order(struct isa_real a, struct isa_real b) {
  if (a.kind == ISA_NAN || b.kind == ISA_NAN)
    return 2;
  if (a.kind == ISA_INFINITE && b.kind == ISA_INFINITE && a.negative == b.negative)
    return 0;
  struct isa_real difference = isa_add(a, isa_negate(b));
  return difference.kind == ISA_ZERO ? 0 : difference.negative ? -1 : 1;
}

/* ---- rounding ---- */

/* Drops `by` bits. */
static struct isa_real rounded(struct isa_real a, int by, enum isa_rounding rounding) {
  isa_wide all = a.magnitude;
  struct isa_real r = shifted_down(a, by);
  isa_wide rest = by > 127 ? 0 : all - (r.magnitude << by);
  int half = by > 127 ? -1 : rest > (isa_wide)1 << (by - 1) ? 1 : rest < (isa_wide)1 << (by - 1) ? -1 : 0;
  if (half == 0 && a.sticky)
    half = 1;
  bool up = rounding == ISA_NEAREST ? half > 0 || (half == 0 && (r.magnitude & 1))
            : rounding == ISA_UP    ? r.sticky && !r.negative
            : rounding == ISA_DOWN  ? r.sticky && r.negative
                                    : false;
  r.magnitude += up;
  r.sticky = false;
  return r;
}

static uint64_t overflow(enum isa_format format, bool negative, enum isa_rounding rounding) {
  bool to_largest =
      rounding == ISA_TRUNCATE || (rounding == ISA_UP && negative) || (rounding == ISA_DOWN && !negative);
  return isa_infinity(format) - (to_largest ? 1 : 0);
}

uint64_t isa_round(struct isa_real a, enum isa_format format, enum isa_rounding rounding) {
  const int fraction = formats[format].fraction;
  uint64_t sign = a.negative ? isa_sign_bit(format) : 0;
  if (a.kind == ISA_NAN)
    return isa_quiet(format, isa_infinity(format));
  if (a.kind != ISA_FINITE)
    return sign | (a.kind == ISA_ZERO ? 0 : isa_infinity(format));
  a = normal(a);
  int lowest = 1 - formats[format].bias - fraction; /* exponent of a denormal's unit */
  int by = 125 - fraction;
  if (a.exponent + by < lowest)
    by = lowest - a.exponent;
  int unit = a.exponent + by;
  if (unit - lowest > 2 * formats[format].bias)
    return sign | overflow(format, a.negative, rounding);
  struct isa_real r = rounded(a, by, rounding);
  uint64_t bits = (uint64_t)r.magnitude + ((uint64_t)(unit - lowest) << fraction);
  return sign | (bits >= isa_infinity(format) ? overflow(format, a.negative, rounding) : bits);
}

struct isa_real isa_round_whole(struct isa_real a, enum isa_rounding rounding) {
  if (a.kind != ISA_FINITE)
    return a;
  if (a.exponent < 0)
    a = rounded(a, -a.exponent, rounding);
  if (a.magnitude == 0)
    a.kind = ISA_ZERO;
  return a;
}

int64_t isa_limit(struct isa_real whole, int64_t lowest, int64_t highest) {
  if (whole.kind == ISA_NAN || whole.kind == ISA_ZERO)
    return 0;
  if (isa_order(whole, isa_integer(highest)) >= 0)
    return highest;
  if (isa_order(whole, isa_integer(lowest)) <= 0)
    return lowest;
  int64_t magnitude = (int64_t)(whole.magnitude << whole.exponent);
  return whole.negative ? -magnitude : magnitude;
}
