/* References of floating-point vector arithmetic (CDNA ISA guides, chapter "Instructions", VOP1, VOP2, VOP3, VOP3P). */
#include "isa_coverage.h"
#include "isa_float.h"
#include "isa_subject.h"

enum { OLD = 3 }; /* the destination as a source */

/* ---- sums and products ---- */

static uint64_t sum(struct isa_lane *x, enum isa_format f, bool minus_a, bool minus_b) {
  const uint64_t n[] = {isa_source(x, 0, f), isa_source(x, 1, f)};
  struct isa_real a = isa_real(f, n[0]), b = isa_real(f, n[1]);
  return isa_result_of(x, f, n, 2, isa_add(minus_a ? isa_negate(a) : a, minus_b ? isa_negate(b) : b));
}

static uint64_t add(struct isa_lane *x, enum isa_format f) {
  return sum(x, f, false, false);
}

static uint64_t product(struct isa_lane *x, enum isa_format f) {
  const uint64_t n[] = {isa_source(x, 0, f), isa_source(x, 1, f)};
  return isa_result_of(x, f, n, 2, isa_multiply(isa_real(f, n[0]), isa_real(f, n[1])));
}

/* Sources a and b multiplied, c added, rounded once. */
static uint64_t fused(struct isa_lane *x, enum isa_format f, unsigned a, unsigned b, unsigned c) {
  const uint64_t n[] = {isa_source(x, a, f), isa_source(x, b, f), isa_source(x, c, f)};
  struct isa_real ab = isa_multiply(isa_real(f, n[0]), isa_real(f, n[1]));
  uint64_t result = isa_result_of(x, f, n, 3, isa_add(ab, isa_real(f, n[2])));
  if (ab.kind == ISA_NAN && !isa_is_nan(f, n[0]) && !isa_is_nan(f, n[1]))
    x->any_nan = 1; /* 0 * infinity: the product's NaN or the addend's */
  return result;
}

static uint64_t fma3(struct isa_lane *x, enum isa_format f) {
  return fused(x, f, 0, 1, 2);
}

static uint64_t fmac(struct isa_lane *x, enum isa_format f) {
  return fused(x, f, 0, 1, OLD);
}

/* The product is rounded before the addition; in f32 denormals are never kept (LLVM AMDGPU, isFMADLegal). legacy: zero
 * times whatever is zero. */
static uint64_t unfused(struct isa_lane *x, enum isa_format f, const unsigned source[3], bool legacy) {
  struct isa_lane flushed = *x;
  flushed.mode &= f == ISA_F32 ? ~0x30u : ~0u;
  uint64_t n[3];
  for (unsigned i = 0; i < 3; i++)
    n[i] = isa_source(&flushed, source[i], f);
  struct isa_real a = isa_real(f, n[0]), b = isa_real(f, n[1]);
  bool zero = legacy && (a.kind == ISA_ZERO || b.kind == ISA_ZERO);
  uint64_t ab = zero ? 0 : isa_result_of(&flushed, f, n, 2, isa_multiply(a, b));
  unsigned open = zero ? 0 : flushed.any_nan;
  const uint64_t terms[] = {ab, n[2]};
  uint64_t result = isa_result_of(&flushed, f, terms, 2, isa_add(isa_real(f, ab), isa_real(f, n[2])));
  x->any_nan = open | flushed.any_nan;
  return result;
}

static uint64_t mad(struct isa_lane *x, enum isa_format f) {
  return unfused(x, f, (const unsigned[]){0, 1, 2}, false);
}

static uint64_t mad_legacy(struct isa_lane *x, enum isa_format f) {
  return unfused(x, f, (const unsigned[]){0, 1, 2}, true);
}

static uint64_t mac(struct isa_lane *x, enum isa_format f) {
  return unfused(x, f, (const unsigned[]){0, 1, OLD}, false);
}

/* The literal is the second factor. */
static uint64_t madmk(struct isa_lane *x, enum isa_format f) {
  return unfused(x, f, (const unsigned[]){0, 1, 2}, false);
}

static uint64_t product_legacy(struct isa_lane *x, enum isa_format f) {
  bool zero = isa_value_of(x, 0, f).kind == ISA_ZERO || isa_value_of(x, 1, f).kind == ISA_ZERO;
  return zero ? 0 : product(x, f);
}

/* ---- choices ---- */

/* A result that is one of the sources: no rounding, but denormals are flushed. */
static uint64_t chosen(const struct isa_lane *x, enum isa_format f, uint64_t bits) {
  return isa_keeps_out(f, x->mode) ? bits : isa_flush(f, bits);
}

static uint64_t minimum(struct isa_lane *x, enum isa_format f) {
  return chosen(x, f, isa_minimum(x, f, isa_source(x, 0, f), isa_source(x, 1, f)));
}

static uint64_t maximum(struct isa_lane *x, enum isa_format f) {
  return chosen(x, f, isa_maximum(x, f, isa_source(x, 0, f), isa_source(x, 1, f)));
}

static uint64_t min_of_3(const struct isa_lane *x, enum isa_format f) {
  return isa_minimum(x, f, isa_minimum(x, f, isa_source(x, 0, f), isa_source(x, 1, f)), isa_source(x, 2, f));
}

static uint64_t max_of_3(const struct isa_lane *x, enum isa_format f) {
  return isa_maximum(x, f, isa_maximum(x, f, isa_source(x, 0, f), isa_source(x, 1, f)), isa_source(x, 2, f));
}

static uint64_t minimum3(struct isa_lane *x, enum isa_format f) {
  return chosen(x, f, min_of_3(x, f));
}

static uint64_t maximum3(struct isa_lane *x, enum isa_format f) {
  return chosen(x, f, max_of_3(x, f));
}

/* What is left without the greatest is compared; a NaN makes it a minimum. */
static uint64_t median(struct isa_lane *x, enum isa_format f) {
  uint64_t a = isa_source(x, 0, f), b = isa_source(x, 1, f), c = isa_source(x, 2, f);
  if (isa_is_nan(f, a) || isa_is_nan(f, b) || isa_is_nan(f, c))
    return minimum3(x, f);
  struct isa_real greatest = isa_real(f, max_of_3(x, f));
  if (isa_order(greatest, isa_real(f, a)) == 0)
    return chosen(x, f, isa_maximum(x, f, b, c));
  if (isa_order(greatest, isa_real(f, b)) == 0)
    return chosen(x, f, isa_maximum(x, f, a, c));
  return chosen(x, f, isa_maximum(x, f, a, b));
}

/* minimum and maximum of IEEE 754-2019: a NaN wins. */
static uint64_t ieee_extreme(struct isa_lane *x, enum isa_format f, bool least) {
  uint64_t result = isa_source(x, 0, f);
  unsigned nans = isa_is_nan(f, result);
  for (unsigned i = 1; i < 3; i++) {
    uint64_t next = isa_source(x, i, f);
    nans += isa_is_nan(f, next);
    if (isa_is_nan(f, result) || isa_is_nan(f, next))
      result = isa_quiet(f, isa_is_nan(f, result) ? result : next);
    else
      result = least ? isa_minimum(x, f, result, next) : isa_maximum(x, f, result, next);
  }
  x->any_nan = nans > 1;
  return chosen(x, f, nans ? isa_quiet(f, result) : result);
}

/* ---- parts of numbers ---- */

static uint64_t whole(struct isa_lane *x, enum isa_format f, enum isa_rounding rounding) {
  uint64_t a = isa_source(x, 0, f);
  return isa_result_of(x, f, &a, 1, isa_round_whole(isa_real(f, a), rounding));
}

/* What is above the next lower whole number; never 1, to which it could be rounded (LLVM, llvm.amdgcn.fract). */
static uint64_t fraction(struct isa_lane *x, enum isa_format f) {
  uint64_t a = isa_source(x, 0, f), below_1 = isa_round(isa_integer(1), f, ISA_NEAREST) - 1;
  struct isa_real number = isa_real(f, a);
  struct isa_real rest = isa_add(number, isa_negate(isa_round_whole(number, ISA_DOWN)));
  uint64_t result = isa_result_of(x, f, &a, 1, rest);
  return rest.kind == ISA_FINITE && result > below_1 ? below_1 : result;
}

/* number = mantissa in [0.5, 1) * 2^exponent */
static int exponent_of(struct isa_real number) {
  int exponent = number.exponent;
  if (number.kind != ISA_FINITE)
    return 0;
  for (isa_wide m = number.magnitude; m; m >>= 1)
    exponent++;
  return exponent;
}

static uint64_t exponent(struct isa_lane *x, enum isa_format f) {
  return (uint32_t)exponent_of(isa_value_of(x, 0, f));
}

static uint64_t mantissa(struct isa_lane *x, enum isa_format f) {
  struct isa_real number = isa_value_of(x, 0, f);
  uint64_t a = isa_source(x, 0, f);
  return isa_result_of(x, f, &a, 1, isa_scale(number, -exponent_of(number)));
}

static uint64_t scaled(struct isa_lane *x, enum isa_format f, int64_t power) {
  uint64_t a = isa_source(x, 0, f);
  int limited = power > 5000 ? 5000 : power < -5000 ? -5000 : (int)power;
  return isa_result_of(x, f, &a, 1, isa_scale(isa_real(f, a), limited));
}

/* ---- division ---- */

/* ISA guides, V_DIV_FIXUP: the special cases of c / b, of which a is the quotient. */
static uint64_t fixed_up(struct isa_lane *x, enum isa_format f, int underflow) {
  uint64_t quotient = isa_source(x, 0, f), sign = isa_sign_bit(f), infinity = isa_infinity(f);
  uint64_t bits_b = isa_source(x, 1, f), bits_c = isa_source(x, 2, f), out = (bits_b ^ bits_c) & sign;
  struct isa_real b = isa_real(f, bits_b), c = isa_real(f, bits_c);
  if (c.kind == ISA_NAN)
    return isa_quiet(f, bits_c);
  if (b.kind == ISA_NAN)
    return isa_quiet(f, bits_b);
  if ((b.kind == ISA_ZERO && c.kind == ISA_ZERO) || (b.kind == ISA_INFINITE && c.kind == ISA_INFINITE))
    return sign | isa_quiet(f, infinity);
  if (b.kind == ISA_ZERO || c.kind == ISA_INFINITE)
    return out | infinity;
  if (b.kind == ISA_INFINITE || c.kind == ISA_ZERO)
    return out;
  int field = f == ISA_F64 ? 52 : 23;
  if (underflow && (int)((bits_c & ~sign) >> field) - (int)((bits_b & ~sign) >> field) < underflow)
    return out;
  if (underflow && isa_real(f, quotient).kind != ISA_FINITE && isa_real(f, quotient).kind != ISA_ZERO)
    return out | infinity; /* the guides' overflow case speaks of the denominator, which is finite here */
  x->any_nan = isa_is_nan(f, quotient);
  return chosen(x, f, out | (quotient & ~sign));
}

/* Scaled back by what V_DIV_SCALE put in: up when the addend is large, and rounded once. The guides name another power
 * and no direction, with which quotients would be wrong; isa_cross_lane.c divides. */
static uint64_t fma_scaled(struct isa_lane *x, enum isa_format f, int power, unsigned middle) {
  const uint64_t n[] = {isa_source(x, 0, f), isa_source(x, 1, f), isa_source(x, 2, f)};
  uint64_t once = fma3(x, f);
  if (!x->carry_in || isa_is_nan(f, once))
    return once;
  unsigned field = (unsigned)((n[2] & ~isa_sign_bit(f)) >> (f == ISA_F64 ? 52 : 23));
  struct isa_real exact = isa_add(isa_multiply(isa_real(f, n[0]), isa_real(f, n[1])), isa_real(f, n[2]));
  return isa_result(x, f, isa_scale(exact, field > middle ? power : -power));
}

/* ---- cube maps ---- */

static bool reaches(struct isa_lane *x, unsigned i, unsigned k) {
  uint64_t a = isa_source(x, i, ISA_F32) & 0x7fffffff, b = isa_source(x, k, ISA_F32) & 0x7fffffff;
  int order = isa_order(isa_real(ISA_F32, a), isa_real(ISA_F32, b));
  return order == 0 || order == 1;
}

static unsigned face_axis(struct isa_lane *x) {
  return reaches(x, 2, 0) && reaches(x, 2, 1) ? 2 : reaches(x, 1, 0) ? 1 : 0;
}

static bool below_zero(struct isa_lane *x, unsigned i) {
  return isa_order(isa_value_of(x, i, ISA_F32), isa_integer(0)) == -1;
}

static uint64_t cube_face(struct isa_lane *x, enum isa_format f) {
  unsigned axis = face_axis(x);
  return isa_round(isa_integer(2 * axis + below_zero(x, axis)), f, ISA_NEAREST);
}

/* A coordinate as it stands, or negated. */
static uint64_t coordinate(struct isa_lane *x, enum isa_format f, unsigned i, bool negated) {
  return chosen(x, f, isa_source(x, i, f) ^ (negated ? isa_sign_bit(f) : 0));
}

static uint64_t cube_s(struct isa_lane *x, enum isa_format f) {
  unsigned axis = face_axis(x);
  return axis == 2   ? coordinate(x, f, 0, below_zero(x, 2))
         : axis == 1 ? coordinate(x, f, 0, false)
                     : coordinate(x, f, 2, !below_zero(x, 0));
}

static uint64_t cube_t(struct isa_lane *x, enum isa_format f) {
  return face_axis(x) == 1 ? coordinate(x, f, 2, below_zero(x, 1)) : coordinate(x, f, 1, true);
}

static uint64_t cube_major(struct isa_lane *x, enum isa_format f) {
  uint64_t a = isa_source(x, face_axis(x), f);
  return isa_result_of(x, f, &a, 1, isa_scale(isa_real(f, a), 1));
}

/* ---- dot products and mixed precision ---- */

/* Part `index` of source i as f32 bits. */
static uint64_t widened(const struct isa_lane *x, unsigned i, enum isa_format f, unsigned index) {
  uint64_t bits = x->s[i] >> 16 * index & 0xffff;
  return f == ISA_BF16 ? bits << 16 : isa_round(isa_real(f, bits), ISA_F32, ISA_NEAREST);
}

static uint64_t rounded_sum(uint64_t a, uint64_t b) {
  return isa_round(isa_add(isa_real(ISA_F32, a), isa_real(ISA_F32, b)), ISA_F32, ISA_NEAREST);
}

/* Terms are added in the guide's order, each sum rounded. order: which of the two products and the addend (2) comes
 * first, second, third. */
static uint64_t dot2(struct isa_lane *x, enum isa_format f, uint64_t addend, const unsigned order[3]) {
  uint64_t term[3] = {0, 0, addend};
  for (unsigned i = 0; i < 2; i++) {
    struct isa_real a = isa_real(ISA_F32, widened(x, 0, f, i)), b = isa_real(ISA_F32, widened(x, 1, f, i));
    if (isa_is_nan(f, x->s[0] >> 16 * i & 0xffff) || isa_is_nan(f, x->s[1] >> 16 * i & 0xffff))
      a.kind = ISA_NAN;
    term[i] = isa_round(isa_multiply(a, b), ISA_F32, ISA_NEAREST);
  }
  uint64_t result = rounded_sum(rounded_sum(term[order[0]], term[order[1]]), term[order[2]]);
  x->any_nan = isa_is_nan(ISA_F32, result);
  return result;
}

/* V_DOT2_F32_F16 flushes denormals of f32 whatever MODE says (LLVM AMDGPU, performFMACombine). */
static uint64_t dot2_f16(struct isa_lane *x, uint64_t addend) {
  return isa_flush(ISA_F32,
                   dot2(x, ISA_F16, isa_flush(ISA_F32, (uint32_t)addend), (const unsigned[]){2, 0, 1}));
}

static uint64_t dot2_bf16(struct isa_lane *x, uint64_t addend, const unsigned order[3]) {
  uint64_t c = isa_keeps_in(ISA_F32, x->mode) ? (uint32_t)addend : isa_flush(ISA_F32, (uint32_t)addend);
  return chosen(x, ISA_F32, dot2(x, ISA_BF16, c, order));
}

/* Sources whose bit is set in `halves` are f16: of the upper half when set in `upper` as well. */
static uint64_t mixed(struct isa_lane *x, unsigned halves, unsigned upper, struct isa_real *exact) {
  uint64_t n[3];
  for (unsigned i = 0; i < 3; i++)
    if (!(halves >> i & 1)) {
      n[i] = isa_source(x, i, ISA_F32);
    } else {
      uint64_t bits = x->s[i] >> (upper >> i & 1 ? 16 : 0) & 0xffff;
      bits = isa_keeps_in(ISA_F16, x->mode) ? bits : isa_flush(ISA_F16, bits);
      n[i] =
          isa_is_nan(ISA_F16, bits) ? 0x7fc00000 : isa_round(isa_real(ISA_F16, bits), ISA_F32, ISA_NEAREST);
    }
  *exact = isa_add(isa_multiply(isa_real(ISA_F32, n[0]), isa_real(ISA_F32, n[1])), isa_real(ISA_F32, n[2]));
  uint64_t result = isa_result(x, ISA_F32, *exact);
  return result;
}

static uint64_t mix_f32(struct isa_lane *x, unsigned halves, unsigned upper) {
  struct isa_real exact;
  return mixed(x, halves, upper, &exact);
}

/* To f16 by way of f32. */
static uint64_t mix_f16(struct isa_lane *x, unsigned halves, unsigned upper, unsigned into) {
  struct isa_real exact;
  uint64_t bits = isa_round(isa_real(ISA_F32, mixed(x, halves, upper, &exact)), ISA_F16, ISA_NEAREST);
  bits = isa_keeps_out(ISA_F16, x->mode) ? bits : isa_flush(ISA_F16, bits);
  uint64_t kept = x->old & (into ? 0xffff : 0xffff0000);
  x->any_nan = exact.kind == ISA_NAN ? into ? 2 : 1 : 0;
  return kept | bits << 16 * into;
}

/* ---- rows: f is the format of the operation ---- */

#define ROWS_OF(X, type, F, T, H)                                                                            \
  X(v_add_##type, , #T "=" #T #T, F, add(x, f))                                                              \
  X(v_mul_##type, , #T "=" #T #T, F, product(x, f))                                                          \
  X(v_min_##type, , #T "=" #T #T, F, minimum(x, f))                                                          \
  X(v_max_##type, , #T "=" #T #T, F, maximum(x, f))                                                          \
  X(v_fma_##type, , #H "=" #T #T #T, F, fma3(x, f))                                                          \
  X(v_trunc_##type, , #T "=" #T, F, whole(x, f, ISA_TRUNCATE))                                               \
  X(v_ceil_##type, , #T "=" #T, F, whole(x, f, ISA_UP))                                                      \
  X(v_floor_##type, , #T "=" #T, F, whole(x, f, ISA_DOWN))                                                   \
  X(v_rndne_##type, , #T "=" #T, F, whole(x, f, ISA_NEAREST))                                                \
  X(v_fract_##type, , #T "=" #T, F, fraction(x, f))                                                          \
  X(v_frexp_mant_##type, , #T "=" #T, F, mantissa(x, f))

#define ROWS(X)                                                                                              \
  ROWS_OF(X, f16, F16, h, H)                                                                                 \
  ROWS_OF(X, f32, F32, f, f)                                                                                 \
  ROWS_OF(X, f64, F64, d, d)                                                                                 \
  X(v_sub_f32, , "f=ff", F32, sum(x, f, false, true))                                                        \
  X(v_subrev_f32, , "f=ff", F32, sum(x, f, true, false))                                                     \
  X(v_sub_f16, , "h=hh", F16, sum(x, f, false, true))                                                        \
  X(v_subrev_f16, , "h=hh", F16, sum(x, f, true, false))                                                     \
  X(v_mul_legacy_f32, , "f=ff", F32, product_legacy(x, f))                                                   \
  X(v_fmac_f32, , "f=ff", F32, fmac(x, f))                                                                   \
  X(v_fmac_f64, , "d=dd", F64, fmac(x, f))                                                                   \
  X(v_fmamk_f32, , "f=fFf", F32, fma3(x, f))                                                                 \
  X(v_fmaak_f32, , "f=ffF", F32, fma3(x, f))                                                                 \
  X(v_fma_legacy_f16, , "h=hhh", F16, fma3(x, f))                                                            \
  X(v_mad_f32, , "f=fff", F32, mad(x, f))                                                                    \
  X(v_mad_legacy_f32, , "f=fff", F32, mad_legacy(x, f))                                                      \
  X(v_mac_f32, , "f=ff", F32, mac(x, f))                                                                     \
  X(v_madmk_f32, , "f=fFf", F32, madmk(x, f))                                                                \
  X(v_madak_f32, , "f=ffF", F32, mad(x, f))                                                                  \
  X(v_mad_f16, , "H=hhh", F16, mad(x, f))                                                                    \
  X(v_mad_legacy_f16, , "h=hhh", F16, mad(x, f))                                                             \
  X(v_mac_f16, , "h=hh", F16, mac(x, f))                                                                     \
  X(v_madmk_f16, , "h=hGh", F16, madmk(x, f))                                                                \
  X(v_madak_f16, , "h=hhG", F16, mad(x, f))                                                                  \
  X(v_min3_f32, , "f=fff", F32, minimum3(x, f))                                                              \
  X(v_max3_f32, , "f=fff", F32, maximum3(x, f))                                                              \
  X(v_med3_f32, , "f=fff", F32, median(x, f))                                                                \
  X(v_min3_f16, , "H=hhh", F16, minimum3(x, f))                                                              \
  X(v_max3_f16, , "H=hhh", F16, maximum3(x, f))                                                              \
  X(v_med3_f16, , "H=hhh", F16, median(x, f))                                                                \
  X(v_minimum3_f32, , "f=fff", F32, ieee_extreme(x, f, true))                                                \
  X(v_maximum3_f32, , "f=fff", F32, ieee_extreme(x, f, false))                                               \
  X(v_frexp_exp_i32_f32, , "i=f", F32, exponent(x, f))                                                       \
  X(v_frexp_exp_i32_f64, , "i=d", F64, exponent(x, f))                                                       \
  X(v_frexp_exp_i16_f16, , "h=h", F16, exponent(x, f))                                                       \
  X(v_ldexp_f32, , "f=fi", F32, scaled(x, f, (int32_t)x->s[1]))                                              \
  X(v_ldexp_f64, , "d=di", F64, scaled(x, f, (int32_t)x->s[1]))                                              \
  X(v_ldexp_f16, , "h=hs", F16, scaled(x, f, (int16_t)x->s[1]))                                              \
  X(v_div_fixup_f32, , "f=fff", F32, fixed_up(x, f, -150))                                                   \
  X(v_div_fixup_f64, , "d=ddd", F64, fixed_up(x, f, -1075))                                                  \
  X(v_div_fixup_f16, , "H=hhh", F16, fixed_up(x, f, 0))                                                      \
  X(v_div_fixup_legacy_f16, , "h=hhh", F16, fixed_up(x, f, 0))                                               \
  X(v_div_fmas_f32, , "f=fffv", F32, fma_scaled(x, f, 64, 127))                                              \
  X(v_div_fmas_f64, , "d=dddv", F64, fma_scaled(x, f, 128, 1023))                                            \
  X(v_cubeid_f32, , "f=fff", F32, cube_face(x, f))                                                           \
  X(v_cubesc_f32, , "f=fff", F32, cube_s(x, f))                                                              \
  X(v_cubetc_f32, , "f=fff", F32, cube_t(x, f))                                                              \
  X(v_cubema_f32, , "f=fff", F32, cube_major(x, f))                                                          \
  X(v_pk_add_f16, , "q=qq", F16, isa_both(x, f, add))                                                        \
  X(v_pk_mul_f16, , "q=qq", F16, isa_both(x, f, product))                                                    \
  X(v_pk_min_f16, , "q=qq", F16, isa_both(x, f, minimum))                                                    \
  X(v_pk_max_f16, , "q=qq", F16, isa_both(x, f, maximum))                                                    \
  X(v_pk_fma_f16, , "q=qqq", F16, isa_both(x, f, fma3))                                                      \
  X(v_pk_fmac_f16, , "q=qq", F16, isa_both(x, f, fmac))                                                      \
  X(v_pk_add_f32, , "w=ww", F32, isa_both(x, f, add))                                                        \
  X(v_pk_mul_f32, , "w=ww", F32, isa_both(x, f, product))                                                    \
  X(v_pk_fma_f32, , "w=www", F32, isa_both(x, f, fma3))                                                      \
  X(v_dot2_f32_f16, , "f=qqf", F32, dot2_f16(x, x->s[2]))                                                    \
  X(v_dot2c_f32_f16, , "f=qq", F32, dot2_f16(x, x->old))                                                     \
  X(v_dot2_f32_bf16, , "f=ttf", F32, dot2_bf16(x, x->s[2], (const unsigned[]){0, 1, 2}))                     \
  X(v_dot2c_f32_bf16, , "f=tt", F32, dot2_bf16(x, x->old, (const unsigned[]){2, 0, 1}))                      \
  X(v_fma_mix_f32, wide, "f=fff", F32, mix_f32(x, 0, 0))                                                     \
  X(v_fma_mix_f32, halves, "f=qqq op_sel_hi:[1,1,1]", F32, mix_f32(x, 7, 0))                                 \
  X(v_fma_mix_f32, some, "f=qfq op_sel:[1,0,1] op_sel_hi:[1,0,1]", F32, mix_f32(x, 5, 5))                    \
  X(v_fma_mix_f32, other, "f=fqf op_sel:[0,1,0] op_sel_hi:[0,1,0]", F32, mix_f32(x, 2, 2))                   \
  X(v_fma_mixlo_f16, wide, "q=fff", F16, mix_f16(x, 0, 0, 0))                                                \
  X(v_fma_mixlo_f16, some, "q=qfq op_sel:[1,0,0] op_sel_hi:[1,0,1]", F16, mix_f16(x, 5, 1, 0))               \
  X(v_fma_mixhi_f16, wide, "q=fff", F16, mix_f16(x, 0, 0, 1))                                                \
  X(v_fma_mixhi_f16, some, "q=fqq op_sel:[0,1,1] op_sel_hi:[0,1,1]", F16, mix_f16(x, 6, 6, 1))

#define FUNCTION(name, more, types, format, expression)                                                      \
  static uint64_t name##_##more(struct isa_lane *x) {                                                        \
    const enum isa_format f = ISA_##format;                                                                  \
    (void)f;                                                                                                 \
    uint64_t result = (expression);                                                                          \
    return isa_place(x, (types)[0], result);                                                                 \
  }
ROWS(FUNCTION)

#define CASE(name, more, types, format, expression) {#name, types, name##_##more},
static const struct isa_case cases[] = {ROWS(CASE)};

ISA_SUBJECT_OF_CASES(arithmetic, cases)
