/* References of what encodings add to an instruction: signs of sources, output modifiers, halves that op_sel chooses, and
 * SDWA's selections (CDNA ISA guides, chapter "Vector ALU operations"). One or a few instructions of each kind stand for
 * all: the handlers share this code. Data-parallel primitives are in isa_cross_lane.c. */
#include "isa_coverage.h"
#include "isa_float.h"
#include "isa_subject.h"

/* ---- signs ---- */

enum sign { AS_IS, NEGATED, POSITIVE, NEGATIVE };

static uint64_t with_sign(enum isa_format f, uint64_t bits, enum sign sign) {
  uint64_t top = isa_sign_bit(f);
  if (sign == POSITIVE || sign == NEGATIVE)
    bits &= ~top;
  return sign == NEGATED || sign == NEGATIVE ? bits ^ top : bits;
}

/* a * b + c, with the signs, rounded once. */
static uint64_t signed_fma(struct isa_lane *x, enum isa_format f, enum sign sa, enum sign sb, enum sign sc) {
  const uint64_t n[] = {with_sign(f, isa_source(x, 0, f), sa), with_sign(f, isa_source(x, 1, f), sb),
                        with_sign(f, isa_source(x, 2, f), sc)};
  struct isa_real ab = isa_multiply(isa_real(f, n[0]), isa_real(f, n[1]));
  uint64_t result = isa_result_of(x, f, n, 3, isa_add(ab, isa_real(f, n[2])));
  x->any_nan |= ab.kind == ISA_NAN;
  return result;
}

static uint64_t signed_sum(struct isa_lane *x, enum isa_format f, enum sign sa, enum sign sb) {
  const uint64_t n[] = {with_sign(f, isa_source(x, 0, f), sa), with_sign(f, isa_source(x, 1, f), sb)};
  return isa_result_of(x, f, n, 2, isa_add(isa_real(f, n[0]), isa_real(f, n[1])));
}

/* ---- output modifiers ---- */

/* A product by a power of two, which hardware leaves out when MODE says IEEE or keeps denormals (LLVM AMDGPU,
 * SIFoldOperands), then kept within 0 and 1. */
static uint64_t modified_product(struct isa_lane *x, enum isa_format f, int power, bool clamp) {
  const uint64_t n[] = {isa_source(x, 0, f), isa_source(x, 1, f)};
  struct isa_lane kept = *x; /* denormals are flushed last */
  kept.mode |= 0xf0;
  uint64_t result = isa_result_of(&kept, f, n, 2, isa_multiply(isa_real(f, n[0]), isa_real(f, n[1])));
  bool ieee = x->mode >> 9 & 1, dx10 = x->mode >> 8 & 1;
  x->any_nan = clamp && dx10 ? 0 : kept.any_nan;
  if (isa_is_nan(f, result))
    return clamp && dx10 ? 0 : result;
  if (power && !ieee && !isa_keeps_out(f, x->mode))
    result = isa_round(isa_scale(isa_real(f, result), power), f, ISA_NEAREST);
  if (!isa_keeps_out(f, x->mode) && !(clamp && result & isa_sign_bit(f)))
    result = isa_flush(f, result);
  if (!clamp)
    return result;
  struct isa_real number = isa_real(f, result);
  if (isa_order(number, isa_integer(0)) < 0)
    return 0;
  return isa_order(number, isa_integer(1)) > 0 ? isa_round(isa_integer(1), f, ISA_NEAREST) : result;
}

/* ---- halves ---- */

static uint64_t half_of(uint64_t bits, unsigned upper) {
  return bits >> 16 * upper & 0xffff;
}

/* One of v_pk_fma_f16's operations: which halves it reads, in bits, and which it negates. */
static uint64_t fma_of_halves(struct isa_lane *x, unsigned upper, unsigned negated, unsigned *any) {
  struct isa_lane part = *x;
  for (unsigned i = 0; i < 3; i++)
    part.s[i] = half_of(x->s[i], upper >> i & 1);
  uint64_t result = signed_fma(&part, ISA_F16, negated & 1 ? NEGATED : AS_IS, negated & 2 ? NEGATED : AS_IS,
                               negated & 4 ? NEGATED : AS_IS);
  *any = part.any_nan;
  return result;
}

static uint64_t packed_fma(struct isa_lane *x, unsigned low, unsigned high, unsigned negate_low,
                           unsigned negate_high) {
  unsigned any_low, any_high;
  uint64_t result = fma_of_halves(x, low, negate_low, &any_low);
  result |= fma_of_halves(x, high, negate_high, &any_high) << 16;
  x->any_nan = any_low | any_high << 1;
  return result;
}

/* op_sel[3]: into the upper half. */
static uint64_t fma_into_half(struct isa_lane *x, unsigned upper, unsigned into) {
  unsigned any;
  uint64_t result = fma_of_halves(x, upper, 0, &any);
  x->any_nan = any << into;
  return into ? (x->old & 0xffff) | result << 16 : (x->old & 0xffff0000) | result;
}

static uint64_t mad_into_upper_half(const struct isa_lane *x, unsigned upper) {
  uint64_t sum =
      half_of(x->s[0], upper & 1) * half_of(x->s[1], upper >> 1 & 1) + half_of(x->s[2], upper >> 2 & 1);
  return (x->old & 0xffff) | (sum & 0xffff) << 16;
}

static uint64_t packed_sum_u16(const struct isa_lane *x) { /* op_sel:[1,0] op_sel_hi:[0,1] */
  return ((half_of(x->s[0], 1) + half_of(x->s[1], 0)) & 0xffff) |
         ((half_of(x->s[0], 0) + half_of(x->s[1], 1)) & 0xffff) << 16;
}

/* op_sel:[1,0] op_sel_hi:[0,1] neg_lo:[0,1] neg_hi:[1,0] */
static uint64_t packed_product_f32(struct isa_lane *x) {
  struct isa_lane low = *x, high = *x;
  low.s[0] = x->s[0] >> 32;
  low.s[1] = (x->s[1] & UINT32_MAX) ^ 0x80000000;
  high.s[0] = (x->s[0] & UINT32_MAX) ^ 0x80000000;
  high.s[1] = x->s[1] >> 32;
  uint64_t a = modified_product(&low, ISA_F32, 0, false), b = modified_product(&high, ISA_F32, 0, false);
  x->any_nan = low.any_nan | high.any_nan << 1;
  return a | b << 32;
}

/* ---- SDWA ---- */

enum { BYTE_0, BYTE_1, BYTE_2, BYTE_3, WORD_0, WORD_1, DWORD };
enum { UNUSED_PAD, UNUSED_SEXT, UNUSED_PRESERVE };

static unsigned part_shift(unsigned select) {
  return select <= BYTE_3 ? 8 * select : select == WORD_1 ? 16 : 0;
}

static unsigned part_width(unsigned select) {
  return select <= BYTE_3 ? 8 : select <= WORD_1 ? 16 : 32;
}

static uint64_t part(uint64_t value, unsigned select, bool sext) {
  unsigned unused = 64 - part_width(select);
  uint64_t top = value >> part_shift(select) << unused;
  return (sext ? (uint64_t)((int64_t)top >> unused) : top >> unused) & UINT32_MAX;
}

/* The result's low bits go to the part; above it are zeros or copies of its sign, below it zeros; or all is kept. */
static uint64_t into_part(uint64_t old, uint64_t result, unsigned select, unsigned unused) {
  unsigned shift = part_shift(select), width = part_width(select);
  uint64_t mask = ((UINT64_C(1) << width) - 1) << shift, placed = result << shift & mask;
  if (unused == UNUSED_PRESERVE)
    return ((old & ~mask) | placed) & UINT32_MAX;
  bool negative = result >> (width - 1) & 1;
  uint64_t above = UINT32_MAX & ~(((UINT64_C(1) << (shift + width)) - 1));
  return placed | (unused == UNUSED_SEXT && negative ? above : 0);
}

/* instruction, text before the operands' types, operation on a and b (32 bits), selections, signs extended */
#define SDWA_ROWS(X)                                                                                         \
  X(v_add_u32, 1, "i=ii", a + b, DWORD, UNUSED_PAD, BYTE_0, false, BYTE_1, false)                            \
  X(v_add_u32, 2, "i=~ii", a + b, BYTE_0, UNUSED_SEXT, BYTE_2, true, WORD_1, false)                          \
  X(v_add_u32, 3, "i=i~i", a + b, WORD_1, UNUSED_PRESERVE, WORD_0, false, BYTE_3, true)                      \
  X(v_sub_u32, 1, "i=~i~i", a - b, WORD_0, UNUSED_SEXT, WORD_1, true, WORD_0, true)                          \
  X(v_sub_u32, 2, "i=ii", a - b, BYTE_1, UNUSED_SEXT, DWORD, false, DWORD, false)                            \
  X(v_or_b32, 1, "i=ii", a | b, BYTE_3, UNUSED_PRESERVE, DWORD, false, BYTE_0, false)                        \
  X(v_and_b32, 1, "i=i~i", a &b, BYTE_2, UNUSED_PAD, WORD_1, false, BYTE_2, true)                            \
  X(v_xor_b32, 1, "i=ii", a ^ b, WORD_1, UNUSED_SEXT, BYTE_3, false, WORD_1, false)                          \
  X(v_lshlrev_b32, 1, "i=ii", (uint64_t)b << a % 32, DWORD, UNUSED_PAD, BYTE_1, false, WORD_0, false)        \
  X(v_max_i32, 1, "i=~i~i", (int32_t)a > (int32_t)b ? a : b, BYTE_1, UNUSED_PRESERVE, BYTE_0, true, WORD_1,  \
    true)                                                                                                    \
  X(v_mul_u32_u24, 1, "i=ii", (uint64_t)(a & 0xffffff) * (b & 0xffffff), DWORD, UNUSED_PAD, WORD_1, false,   \
    WORD_1, false)

#define SDWA_FUNCTION(name, id, types, expression, dst, unused, s0, x0, s1, x1)                              \
  static uint64_t name##_sdwa_##id(struct isa_lane *x) {                                                     \
    const uint32_t a = (uint32_t)part(x->s[0], s0, x0), b = (uint32_t)part(x->s[1], s1, x1);                 \
    return into_part(x->old, (uint32_t)(expression), dst, unused);                                           \
  }
SDWA_ROWS(SDWA_FUNCTION)

/* The upper half of a, positive, and the lower of b, negated; the sum into the upper half. */
static uint64_t sdwa_sum_f16(struct isa_lane *x) {
  struct isa_lane halves = *x;
  halves.s[0] = half_of(x->s[0], 1);
  halves.s[1] = half_of(x->s[1], 0);
  uint64_t sum = signed_sum(&halves, ISA_F16, POSITIVE, NEGATED);
  x->any_nan = halves.any_nan << 1;
  return into_part(x->old, sum, WORD_1, UNUSED_PRESERVE);
}

static uint64_t sdwa_less_u32(struct isa_lane *x) {
  return part(x->s[0], BYTE_1, false) < part(x->s[1], WORD_1, false);
}

static uint64_t sdwa_less_i32(struct isa_lane *x) {
  return (int32_t)part(x->s[0], BYTE_3, true) < (int32_t)part(x->s[1], WORD_0, true);
}

/* ---- rows ---- */

#define ROWS(X)                                                                                              \
  X(v_add_f32, 1, "f=-ff", signed_sum(x, ISA_F32, NEGATED, AS_IS))                                           \
  X(v_add_f32, 2, "f=|f_f", signed_sum(x, ISA_F32, POSITIVE, NEGATIVE))                                      \
  X(v_add_f64, 1, "d=_d-d", signed_sum(x, ISA_F64, NEGATIVE, NEGATED))                                       \
  X(v_add_f16, 1, "h=-h|h", signed_sum(x, ISA_F16, NEGATED, POSITIVE))                                       \
  X(v_fma_f32, 1, "f=-f|f_f", signed_fma(x, ISA_F32, NEGATED, POSITIVE, NEGATIVE))                           \
  X(v_fma_f64, 1, "d=|d-d_d", signed_fma(x, ISA_F64, POSITIVE, NEGATED, NEGATIVE))                           \
  X(v_fma_f16, 1, "H=_h-h|h", isa_place(x, 'H', signed_fma(x, ISA_F16, NEGATIVE, NEGATED, POSITIVE)))        \
  X(v_fma_mix_f32, 1, "f=-f|f_f", signed_fma(x, ISA_F32, NEGATED, POSITIVE, NEGATIVE))                       \
  X(v_mul_f32, 1, "f=ff clamp", modified_product(x, ISA_F32, 0, true))                                       \
  X(v_mul_f32, 2, "f=ff mul:2", modified_product(x, ISA_F32, 1, false))                                      \
  X(v_mul_f32, 3, "f=ff mul:4", modified_product(x, ISA_F32, 2, false))                                      \
  X(v_mul_f32, 4, "f=ff clamp div:2", modified_product(x, ISA_F32, -1, true))                                \
  X(v_mul_f64, 1, "d=dd clamp", modified_product(x, ISA_F64, 0, true))                                       \
  X(v_mul_f64, 2, "d=dd mul:4", modified_product(x, ISA_F64, 2, false))                                      \
  X(v_mul_f64, 3, "d=dd div:2", modified_product(x, ISA_F64, -1, false))                                     \
  X(v_mul_f16, 1, "h=hh clamp", modified_product(x, ISA_F16, 0, true))                                       \
  X(v_mul_f16, 2, "h=hh mul:2", modified_product(x, ISA_F16, 1, false))                                      \
  X(v_pk_fma_f16, 1, "q=qqq op_sel:[1,0,1] op_sel_hi:[0,1,0] neg_lo:[1,0,0] neg_hi:[0,1,1]",                 \
    packed_fma(x, 5, 2, 1, 6))                                                                               \
  X(v_pk_fma_f16, 2, "q=qqq op_sel:[0,1,0] op_sel_hi:[0,0,1]", packed_fma(x, 2, 4, 0, 0))                    \
  X(v_fma_f16, 2, "q=qqq op_sel:[1,0,1,1]", fma_into_half(x, 5, 1))                                          \
  X(v_fma_f16, 3, "q=qqq op_sel:[0,1,0,0]", fma_into_half(x, 2, 0))                                          \
  X(v_mad_u16, 1, "i=ppp op_sel:[0,1,1,1]", mad_into_upper_half(x, 6))                                       \
  X(v_pk_add_u16, 1, "p=pp op_sel:[1,0] op_sel_hi:[0,1]", packed_sum_u16(x))                                 \
  X(v_pk_mul_f32, 1, "w=ww op_sel:[1,0] op_sel_hi:[0,1] neg_lo:[0,1] neg_hi:[1,0]", packed_product_f32(x))   \
  X(v_add_f16, 2, "q=|q-q dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_1 src1_sel:WORD_0",        \
    sdwa_sum_f16(x))                                                                                         \
  X(v_cmp_lt_u32, 1, "m=ii src0_sel:BYTE_1 src1_sel:WORD_1", sdwa_less_u32(x))                               \
  X(v_cmp_lt_i32, 1, "m=~i~i src0_sel:BYTE_3 src1_sel:WORD_0", sdwa_less_i32(x))

#define FUNCTION(name, id, types, expression)                                                                \
  static uint64_t name##_##id(struct isa_lane *x) {                                                          \
    return (expression);                                                                                     \
  }
ROWS(FUNCTION)

#define CASE(name, id, types, expression) {#name, types, name##_##id},
#define SDWA_CASE(name, id, types, expression, dst, unused, s0, x0, s1, x1)                                  \
  {#name, types " dst_sel:" #dst " dst_unused:" #unused " src0_sel:" #s0 " src1_sel:" #s1, name##_sdwa_##id},
static const struct isa_case cases[] = {ROWS(CASE) SDWA_ROWS(SDWA_CASE)};

ISA_SUBJECT_OF_CASES(modifiers, cases)
