/* References of conversions and of functions with a documented accuracy (CDNA ISA guides, chapter "Instructions", VOP1
 * and VOP3). */
#include <math.h>
#include <string.h>

#include "isa_coverage.h"
#include "isa_float.h"
#include "isa_subject.h"

/* ---- to integers: towards zero, limited, a NaN is 0 ---- */

static uint64_t to_integer(const struct isa_lane *x, enum isa_format f, int64_t low, int64_t high) {
  return (uint64_t)isa_limit(isa_round_whole(isa_value_of(x, 0, f), ISA_TRUNCATE), low, high);
}

/* The next lower whole number; of the sum with a half, rounded as an addition is. */
static uint64_t floor_integer(const struct isa_lane *x, bool add_half) {
  struct isa_real number = isa_value_of(x, 0, ISA_F32);
  if (add_half)
    number =
        isa_real(ISA_F32, isa_round(isa_add(number, isa_scale(isa_integer(1), -1)), ISA_F32, ISA_NEAREST));
  return (uint32_t)isa_limit(isa_round_whole(number, ISA_DOWN), INT32_MIN, INT32_MAX);
}

/* A share of `scale`, to the nearest; -1 to 1 or 0 to 1. */
static uint64_t normal(const struct isa_lane *x, unsigned i, enum isa_format f, int64_t low, int64_t scale) {
  struct isa_real share = isa_multiply(isa_value_of(x, i, f), isa_integer(scale));
  return (uint64_t)isa_limit(isa_round_whole(share, ISA_NEAREST), low, scale) & 0xffff;
}

static uint64_t two_normals(const struct isa_lane *x, enum isa_format f, int64_t low, int64_t scale) {
  return normal(x, 0, f, low, scale) | normal(x, 1, f, low, scale) << 16;
}

/* A number's nearest byte, put where source 1 says. */
static uint64_t byte_into(const struct isa_lane *x) {
  uint64_t byte = (uint64_t)isa_limit(isa_round_whole(isa_value_of(x, 0, ISA_F32), ISA_NEAREST), 0, 255);
  unsigned shift = 8 * (x->s[1] & 3);
  return ((x->s[2] & ~(UINT64_C(0xff) << shift)) | byte << shift) & 0xffffffff;
}

/* ---- from integers ---- */

static uint64_t from_integer(struct isa_lane *x, enum isa_format f, int64_t value) {
  return isa_result(x, f, isa_integer(value));
}

static uint64_t sixteenths(struct isa_lane *x) {
  int64_t nibble = x->s[0] & 15;
  return isa_result(x, ISA_F32, isa_scale(isa_integer(nibble > 7 ? nibble - 16 : nibble), -4));
}

/* ---- between formats: NaNs keep what there is room for ---- */

static const struct {
  unsigned width, fraction;
} shape[] = {[ISA_F16] = {16, 10}, [ISA_BF16] = {16, 7}, [ISA_F32] = {32, 23}, [ISA_F64] = {64, 52}};

static uint64_t nan_between(enum isa_format from, enum isa_format to, uint64_t bits) {
  uint64_t payload = bits & ((UINT64_C(1) << shape[from].fraction) - 1),
           sign = bits >> (shape[from].width - 1) & 1;
  unsigned a = shape[from].fraction, b = shape[to].fraction;
  payload = a > b ? payload >> (a - b) : payload << (b - a);
  return isa_quiet(to, isa_infinity(to) | payload | sign << (shape[to].width - 1));
}

static uint64_t between_bits(enum isa_format from, enum isa_format to, uint64_t bits,
                             enum isa_rounding rounding) {
  return isa_is_nan(from, bits) ? nan_between(from, to, bits) : isa_round(isa_real(from, bits), to, rounding);
}

static uint64_t between(const struct isa_lane *x, enum isa_format from, enum isa_format to) {
  uint64_t bits = between_bits(from, to, isa_source(x, 0, from), ISA_NEAREST);
  return isa_keeps_out(to, x->mode) ? bits : isa_flush(to, bits);
}

/* The guide's bits with zeros below, a signalling NaN too; as an f32 result it is flushed when MODE says so. */
static uint64_t from_bf16(const struct isa_lane *x) {
  uint64_t bits = (x->s[0] & 0xffff) << 16;
  return isa_keeps_out(ISA_F32, x->mode) ? bits : isa_flush(ISA_F32, bits);
}

static uint64_t two(const struct isa_lane *x, enum isa_format to, enum isa_rounding rounding) {
  return between_bits(ISA_F32, to, isa_source(x, 0, ISA_F32), rounding) |
         between_bits(ISA_F32, to, isa_source(x, 1, ISA_F32), rounding) << 16;
}

/* ---- functions: within a unit of the last place; the guides give the special cases ---- */

static double as_double(enum isa_format f, uint64_t bits) {
  uint64_t wide = isa_round(isa_real(f, bits), ISA_F64, ISA_NEAREST);
  double value;
  memcpy(&value, &wide, sizeof value);
  return value;
}

static uint64_t from_double(enum isa_format f, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return isa_round(isa_real(ISA_F64, bits), f, ISA_NEAREST);
}

enum function { RECIPROCAL, RECIPROCAL_ROOT, ROOT, POWER, LOGARITHM };

static double value_of(enum function function, double a) {
  switch (function) {
  case RECIPROCAL:
    return 1.0 / a;
  case RECIPROCAL_ROOT:
    return (double)(1.0L / sqrtl(a));
  case ROOT:
    return sqrt(a);
  case POWER:
    return exp2(a);
  default:
    return log2(a);
  }
}

/* Those of f32 take and give no denormals, whatever MODE says (LLVM AMDGPU scales around that); f16 and f64 follow it. */
static uint64_t approximate(struct isa_lane *x, enum isa_format f, enum function function) {
  struct isa_lane flushed = *x;
  flushed.mode &= f == ISA_F32 ? ~0x30u : ~0u;
  uint64_t bits = isa_source(&flushed, 0, f);
  if (isa_is_nan(f, bits))
    return isa_quiet(f, bits);
  double a = as_double(f, bits);
  bool invalid = a < 0 && (function == RECIPROCAL_ROOT || function == ROOT || function == LOGARITHM);
  if (invalid)
    return isa_sign_bit(f) | isa_quiet(f, isa_infinity(f));
  uint64_t result = from_double(f, value_of(function, a));
  x->ulps = a != 0 && isfinite(a) ? 1 : 0;
  return isa_keeps_out(f, flushed.mode) ? result : isa_flush(f, result);
}

/* Of revolutions. Beyond 256 the angle counts as 0; of infinity the result is a NaN. */
static uint64_t wave_of(struct isa_lane *x, enum isa_format f, bool cosine) {
  struct isa_lane flushed = *x;
  flushed.mode &= f == ISA_F32 ? ~0x30u : ~0u;
  uint64_t bits = isa_source(&flushed, 0, f);
  if (isa_is_nan(f, bits))
    return isa_quiet(f, bits);
  double a = as_double(f, bits);
  if (isinf(a))
    return isa_sign_bit(f) | isa_quiet(f, isa_infinity(f));
  if (fabs(a) > 256)
    return from_double(f, cosine ? 1 : 0);
  const double turn = 6.283185307179586476925;
  double exact = cosine ? cos(turn * (a - rint(a))) : sin(turn * (a - rint(a)));
  uint64_t result = from_double(f, a == 0 && !cosine ? a : exact);
  /* near their zeros the error is absolute: 2^-20 */
  double error = f == ISA_F16 ? 0x1p-11 : 0x1p-20;
  x->near = fabs(a) > 0 ? error : 0;
  return isa_keeps_out(f, flushed.mode) ? result : isa_flush(f, result);
}

/* ---- rows ---- */

#define ROWS(X)                                                                                              \
  X(v_cvt_i32_f64, "i=d", (uint32_t)to_integer(x, ISA_F64, INT32_MIN, INT32_MAX))                            \
  X(v_cvt_u32_f64, "i=d", to_integer(x, ISA_F64, 0, UINT32_MAX))                                             \
  X(v_cvt_i32_f32, "i=f", (uint32_t)to_integer(x, ISA_F32, INT32_MIN, INT32_MAX))                            \
  X(v_cvt_u32_f32, "i=f", to_integer(x, ISA_F32, 0, UINT32_MAX))                                             \
  X(v_cvt_i16_f16, "s=h", to_integer(x, ISA_F16, INT16_MIN, INT16_MAX) & 0xffff)                             \
  X(v_cvt_u16_f16, "s=h", to_integer(x, ISA_F16, 0, UINT16_MAX))                                             \
  X(v_cvt_flr_i32_f32, "i=f", floor_integer(x, false))                                                       \
  X(v_cvt_rpi_i32_f32, "i=f", floor_integer(x, true))                                                        \
  X(v_cvt_norm_i16_f16, "s=h", normal(x, 0, ISA_F16, -32767, 32767))                                         \
  X(v_cvt_norm_u16_f16, "s=h", normal(x, 0, ISA_F16, 0, 65535))                                              \
  X(v_cvt_pknorm_i16_f16, "i=hh", two_normals(x, ISA_F16, -32767, 32767))                                    \
  X(v_cvt_pknorm_u16_f16, "i=hh", two_normals(x, ISA_F16, 0, 65535))                                         \
  X(v_cvt_pknorm_i16_f32, "i=ff", two_normals(x, ISA_F32, -32767, 32767))                                    \
  X(v_cvt_pknorm_u16_f32, "i=ff", two_normals(x, ISA_F32, 0, 65535))                                         \
  X(v_cvt_pk_u8_f32, "i=fii", byte_into(x))                                                                  \
  X(v_cvt_f64_i32, "d=i", from_integer(x, ISA_F64, (int32_t)x->s[0]))                                        \
  X(v_cvt_f64_u32, "d=i", from_integer(x, ISA_F64, (uint32_t)x->s[0]))                                       \
  X(v_cvt_f32_i32, "f=i", from_integer(x, ISA_F32, (int32_t)x->s[0]))                                        \
  X(v_cvt_f32_u32, "f=i", from_integer(x, ISA_F32, (uint32_t)x->s[0]))                                       \
  X(v_cvt_f32_ubyte0, "f=i", from_integer(x, ISA_F32, x->s[0] & 0xff))                                       \
  X(v_cvt_f32_ubyte1, "f=i", from_integer(x, ISA_F32, x->s[0] >> 8 & 0xff))                                  \
  X(v_cvt_f32_ubyte2, "f=i", from_integer(x, ISA_F32, x->s[0] >> 16 & 0xff))                                 \
  X(v_cvt_f32_ubyte3, "f=i", from_integer(x, ISA_F32, x->s[0] >> 24 & 0xff))                                 \
  X(v_cvt_f16_u16, "h=s", from_integer(x, ISA_F16, (uint16_t)x->s[0]))                                       \
  X(v_cvt_f16_i16, "h=s", from_integer(x, ISA_F16, (int16_t)x->s[0]))                                        \
  X(v_cvt_off_f32_i4, "f=i", sixteenths(x))                                                                  \
  X(v_cvt_f32_f64, "f=d", between(x, ISA_F64, ISA_F32))                                                      \
  X(v_cvt_f64_f32, "d=f", between(x, ISA_F32, ISA_F64))                                                      \
  X(v_cvt_f32_f16, "f=h", between(x, ISA_F16, ISA_F32))                                                      \
  X(v_cvt_f16_f32, "h=f", between(x, ISA_F32, ISA_F16))                                                      \
  X(v_cvt_f32_bf16, "f=s", from_bf16(x))                                                                     \
  X(v_cvt_pkrtz_f16_f32, "i=ff", two(x, ISA_F16, ISA_TRUNCATE))                                              \
  X(v_cvt_pk_f16_f32, "i=ff", two(x, ISA_F16, ISA_NEAREST))                                                  \
  X(v_cvt_pk_bf16_f32, "i=ff", two(x, ISA_BF16, ISA_NEAREST))                                                \
  X(v_pack_b32_f16, "i=ss", (x->s[0] & 0xffff) | (x->s[1] & 0xffff) << 16)                                   \
  X(v_rcp_f32, "f=f", approximate(x, ISA_F32, RECIPROCAL))                                                   \
  X(v_rcp_iflag_f32, "f=f", approximate(x, ISA_F32, RECIPROCAL))                                             \
  X(v_rcp_f64, "d=d", approximate(x, ISA_F64, RECIPROCAL))                                                   \
  X(v_rcp_f16, "h=h", approximate(x, ISA_F16, RECIPROCAL))                                                   \
  X(v_rsq_f32, "f=f", approximate(x, ISA_F32, RECIPROCAL_ROOT))                                              \
  X(v_rsq_f64, "d=d", approximate(x, ISA_F64, RECIPROCAL_ROOT))                                              \
  X(v_rsq_f16, "h=h", approximate(x, ISA_F16, RECIPROCAL_ROOT))                                              \
  X(v_sqrt_f32, "f=f", approximate(x, ISA_F32, ROOT))                                                        \
  X(v_sqrt_f64, "d=d", approximate(x, ISA_F64, ROOT))                                                        \
  X(v_sqrt_f16, "h=h", approximate(x, ISA_F16, ROOT))                                                        \
  X(v_exp_f32, "f=f", approximate(x, ISA_F32, POWER))                                                        \
  X(v_exp_legacy_f32, "f=f", approximate(x, ISA_F32, POWER))                                                 \
  X(v_exp_f16, "h=h", approximate(x, ISA_F16, POWER))                                                        \
  X(v_log_f32, "f=f", approximate(x, ISA_F32, LOGARITHM))                                                    \
  X(v_log_legacy_f32, "f=f", approximate(x, ISA_F32, LOGARITHM))                                             \
  X(v_log_f16, "h=h", approximate(x, ISA_F16, LOGARITHM))                                                    \
  X(v_sin_f32, "f=f", wave_of(x, ISA_F32, false))                                                            \
  X(v_cos_f32, "f=f", wave_of(x, ISA_F32, true))                                                             \
  X(v_sin_f16, "h=h", wave_of(x, ISA_F16, false))                                                            \
  X(v_cos_f16, "h=h", wave_of(x, ISA_F16, true))

#define FUNCTION(name, types, expression)                                                                    \
  static uint64_t name(struct isa_lane *x) {                                                                 \
    return (expression);                                                                                     \
  }
ROWS(FUNCTION)

#define CASE(name, types, expression) {#name, types, name},
static const struct isa_case cases[] = {ROWS(CASE)};

ISA_SUBJECT_OF_CASES(convert, cases)
