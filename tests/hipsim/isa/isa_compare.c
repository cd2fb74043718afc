/* References of vector compares (CDNA ISA guides, chapter "Instructions", VOPC). */
#include "isa_coverage.h"
#include "isa_lanes.h"
#include "isa_real.h"
#include "isa_subject.h"

/* ---- numbers ---- */

static enum isa_format width_format(unsigned width) {
  return width == 16 ? ISA_F16 : width == 32 ? ISA_F32 : ISA_F64;
}

static uint64_t cut(uint64_t value, unsigned width) {
  return width == 64 ? value : value & ((UINT64_C(1) << width) - 1);
}

static uint64_t source(const struct isa_lane *x, unsigned i, unsigned width) {
  uint64_t bits = cut(x->s[i], width);
  enum isa_format format = width_format(width);
  return isa_keeps_in(format, x->mode) ? bits : isa_flush(format, bits);
}

/* -1, 0, 1; 2: unordered */
static int order_float(const struct isa_lane *x, unsigned width) {
  enum isa_format format = width_format(width);
  return isa_order(isa_real(format, source(x, 0, width)), isa_real(format, source(x, 1, width)));
}

static int order_signed(const struct isa_lane *x, unsigned width) {
  int64_t a = (int64_t)(x->s[0] << (64 - width)), b = (int64_t)(x->s[1] << (64 - width));
  return (a > b) - (a < b);
}

static int order_unsigned(const struct isa_lane *x, unsigned width) {
  uint64_t a = cut(x->s[0], width), b = cut(x->s[1], width);
  return (a > b) - (a < b);
}

/* Conditions on an order o. */
#define FLOAT_CONDITIONS(X, type, width)                                                                     \
  X(f, false, type, width, float)                                                                            \
  X(lt, o == -1, type, width, float)                                                                         \
  X(eq, o == 0, type, width, float)                                                                          \
  X(le, o == -1 || o == 0, type, width, float)                                                               \
  X(gt, o == 1, type, width, float)                                                                          \
  X(lg, o == -1 || o == 1, type, width, float)                                                               \
  X(ge, o == 1 || o == 0, type, width, float)                                                                \
  X(o, o != 2, type, width, float)                                                                           \
  X(u, o == 2, type, width, float)                                                                           \
  X(nge, o == 2 || o == -1, type, width, float)                                                              \
  X(nlg, o == 2 || o == 0, type, width, float)                                                               \
  X(ngt, o != 1, type, width, float)                                                                         \
  X(nle, o == 2 || o == 1, type, width, float)                                                               \
  X(neq, o != 0, type, width, float)                                                                         \
  X(nlt, o != -1, type, width, float)                                                                        \
  X(tru, true, type, width, float)

#define INTEGER_CONDITIONS(X, type, width, order)                                                            \
  X(f, false, type, width, order)                                                                            \
  X(lt, o < 0, type, width, order)                                                                           \
  X(eq, o == 0, type, width, order)                                                                          \
  X(le, o <= 0, type, width, order)                                                                          \
  X(gt, o > 0, type, width, order)                                                                           \
  X(ne, o != 0, type, width, order)                                                                          \
  X(ge, o >= 0, type, width, order)                                                                          \
  X(t, true, type, width, order)

#define CONDITIONS(X)                                                                                        \
  FLOAT_CONDITIONS(X, f16, 16)                                                                               \
  FLOAT_CONDITIONS(X, f32, 32)                                                                               \
  FLOAT_CONDITIONS(X, f64, 64)                                                                               \
  INTEGER_CONDITIONS(X, i16, 16, signed)                                                                     \
  INTEGER_CONDITIONS(X, u16, 16, unsigned)                                                                   \
  INTEGER_CONDITIONS(X, i32, 32, signed)                                                                     \
  INTEGER_CONDITIONS(X, u32, 32, unsigned)                                                                   \
  INTEGER_CONDITIONS(X, i64, 64, signed)                                                                     \
  INTEGER_CONDITIONS(X, u64, 64, unsigned)

#define REFERENCE(condition, test, type, width, order)                                                       \
  static uint64_t condition##_##type(struct isa_lane *x) {                                                   \
    int o = order_##order(x, width);                                                                         \
    (void)o;                                                                                                 \
    return test;                                                                                             \
  }
CONDITIONS(REFERENCE)

/* ---- classes ---- */

/* Which bit of the mask stands for a number: signalling and quiet NaN, -infinity, -normal, -denormal, -0, +0, +denormal,
 * +normal, +infinity. Denormals are told as such whatever MODE says. */
static unsigned class_of(enum isa_format format, uint64_t bits) {
  if (isa_is_nan(format, bits))
    return isa_is_signalling(format, bits) ? 0 : 1;
  struct isa_real r = isa_real(format, bits);
  unsigned from_zero = r.kind == ISA_ZERO              ? 0
                       : r.kind == ISA_INFINITE        ? 3
                       : isa_is_denormal(format, bits) ? 1
                                                       : 2;
  return r.negative ? 5 - from_zero : 6 + from_zero;
}

static uint64_t in_class(const struct isa_lane *x, unsigned width) {
  return x->s[1] >> class_of(width_format(width), cut(x->s[0], width)) & 1;
}

static uint64_t class_f16(struct isa_lane *x) {
  return in_class(x, 16);
}

static uint64_t class_f32(struct isa_lane *x) {
  return in_class(x, 32);
}

static uint64_t class_f64(struct isa_lane *x) {
  return in_class(x, 64);
}

/* ---- cases ---- */

#define TYPES_f16 "hh"
#define TYPES_f32 "ff"
#define TYPES_f64 "dd"
#define TYPES_i16 "ss"
#define TYPES_u16 "ss"
#define TYPES_i32 "ii"
#define TYPES_u32 "ii"
#define TYPES_i64 "ll"
#define TYPES_u64 "ll"

#define CASES(condition, test, type, width, order)                                                           \
  {"v_cmp_" #condition "_" #type, "m=" TYPES_##type, condition##_##type},                                    \
      {"v_cmpx_" #condition "_" #type, "X=" TYPES_##type, condition##_##type},

static const struct isa_case cases[] = {
    CONDITIONS(CASES){"v_cmp_class_f16", "m=hs", class_f16},
    {"v_cmpx_class_f16", "X=hs", class_f16},
    {"v_cmp_class_f32", "m=fi", class_f32},
    {"v_cmpx_class_f32", "X=fi", class_f32},
    {"v_cmp_class_f64", "m=di", class_f64},
    {"v_cmpx_class_f64", "X=di", class_f64},
};

ISA_SUBJECT_OF_CASES(compare, cases)
