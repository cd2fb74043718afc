/* References of vector instructions on integers and bits (CDNA ISA guides, chapter "Instructions", VOP1, VOP2, VOP3,
 * VOP3P). */
#include "isa_coverage.h"
#include "isa_subject.h"

/* ---- parts of numbers ---- */

static int64_t sign_extended(uint64_t value, unsigned width) {
  return (int64_t)(value << (64 - width)) >> (64 - width);
}

static uint64_t low_bits(uint64_t value, unsigned width) {
  return value & ((UINT64_C(1) << width) - 1);
}

static int64_t between(int64_t value, int64_t low, int64_t high) {
  return value < low ? low : value > high ? high : value;
}

static uint64_t saturated_u(int64_t value, unsigned width) {
  return (uint64_t)between(value, 0, (INT64_C(1) << width) - 1);
}

static uint64_t saturated_i(int64_t value, unsigned width) {
  int64_t limit = INT64_C(1) << (width - 1);
  return low_bits((uint64_t)between(value, -limit, limit - 1), width);
}

static int64_t smaller(int64_t a, int64_t b) {
  return a < b ? a : b;
}

static int64_t larger(int64_t a, int64_t b) {
  return a > b ? a : b;
}

/* The one of three that is neither first nor last. */
static int64_t middle(int64_t a, int64_t b, int64_t c) {
  return a + b + c - smaller(smaller(a, b), c) - larger(larger(a, b), c);
}

/* ---- bits ---- */

static unsigned ones(uint64_t value) {
  unsigned count = 0;
  for (; value; value >>= 1)
    count += value & 1;
  return count;
}

static uint32_t reversed(uint32_t value) {
  uint32_t result = 0;
  for (unsigned i = 0; i < 32; i++)
    result |= (value >> i & 1) << (31 - i);
  return result;
}

/* How far from the top, or the bottom, the first bit lies that is `wanted`; -1: nowhere. */
static uint64_t from_top(uint32_t value, unsigned first, unsigned wanted) {
  for (unsigned i = first; i < 32; i++)
    if ((value >> (31 - i) & 1) == wanted)
      return i;
  return UINT32_MAX;
}

static uint64_t from_bottom(uint32_t value) {
  for (unsigned i = 0; i < 32; i++)
    if (value >> i & 1)
      return i;
  return UINT32_MAX;
}

static uint64_t field_u(uint64_t value, unsigned offset, unsigned width) {
  return low_bits(value >> offset, width);
}

static uint64_t field_i(uint32_t value, unsigned offset, unsigned width) {
  return width ? (uint32_t)sign_extended((uint64_t)(sign_extended(value, 32) >> offset), width) : 0;
}

/* v_perm: the eight bytes are those of {a, b}; 8 to 11 are the signs of bytes 1, 3, 5 and 7. */
static uint64_t permuted(uint32_t a, uint32_t b, uint32_t select) {
  uint64_t bytes = (uint64_t)a << 32 | b, result = 0;
  for (unsigned i = 0; i < 4; i++) {
    unsigned s = select >> 8 * i & 0xff;
    uint64_t byte = s >= 13   ? 0xff
                    : s == 12 ? 0
                    : s >= 8  ? (bytes >> (16 * (s - 8) + 15) & 1) * 0xff
                              : bytes >> 8 * s;
    result |= (byte & 0xff) << 8 * i;
  }
  return result;
}

/* v_bitop3: the table's bit is numbered by the bits of a (most significant), b and c. */
static uint64_t by_table(uint32_t a, uint32_t b, uint32_t c, unsigned table) {
  uint64_t result = 0;
  for (unsigned i = 0; i < 32; i++) {
    unsigned row = (a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1);
    result |= (uint64_t)(table >> row & 1) << i;
  }
  return result;
}

/* ---- sums ---- */

/* Of the distances of parts; masked: without those where b has zero. */
static int64_t distances(uint32_t a, uint32_t b, unsigned width, bool masked) {
  int64_t sum = 0;
  for (unsigned i = 0; i < 32; i += width) {
    int64_t x = (int64_t)field_u(a, i, width), y = (int64_t)field_u(b, i, width);
    sum += masked && y == 0 ? 0 : x > y ? x - y : y - x;
  }
  return sum;
}

/* Of the products of parts. */
static int64_t dot_i(uint32_t a, uint32_t b, unsigned width) {
  int64_t sum = 0;
  for (unsigned i = 0; i < 32; i += width)
    sum += sign_extended(a >> i, width) * sign_extended(b >> i, width);
  return sum;
}

static int64_t dot_u(uint32_t a, uint32_t b, unsigned width) {
  int64_t sum = 0;
  for (unsigned i = 0; i < 32; i += width)
    sum += (int64_t)(field_u(a, i, width) * field_u(b, i, width));
  return sum;
}

static uint64_t averages(uint32_t a, uint32_t b, uint32_t up) {
  uint64_t result = 0;
  for (unsigned i = 0; i < 32; i += 8)
    result |= (field_u(a, i, 8) + field_u(b, i, 8) + (up >> i & 1)) / 2 << i;
  return result;
}

static uint64_t four_distances(uint64_t a, uint32_t b, uint64_t c, bool masked, bool clamps) {
  uint64_t result = 0;
  for (unsigned i = 0; i < 4; i++) {
    int64_t sum = distances((uint32_t)(a >> 8 * i), b, 8, masked) + (int64_t)low_bits(c >> 16 * i, 16);
    result |= (clamps ? saturated_u(sum, 16) : low_bits((uint64_t)sum, 16)) << 16 * i;
  }
  return result;
}

static uint64_t four_wide_distances(struct isa_lane *x) {
  uint64_t result[4];
  for (unsigned i = 0; i < 4; i++) {
    uint64_t c = i < 2 ? x->s[2] : x->s2_high;
    result[i] = (uint32_t)((uint64_t)distances((uint32_t)(x->s[0] >> 8 * i), (uint32_t)x->s[1], 8, true) +
                           (c >> 32 * (i & 1)));
  }
  x->high = result[2] | result[3] << 32;
  return result[0] | result[1] << 32;
}

/* ---- 32 bits: a, b, c unsigned; A, B, C the same bits signed, old and O the destination before ---- */

#define ROWS_32(X)                                                                                           \
  X(v_mov_b32, , "i=i", a)                                                                                   \
  X(v_not_b32, , "i=i", ~a)                                                                                  \
  X(v_bfrev_b32, , "i=i", reversed(a))                                                                       \
  X(v_ffbh_u32, , "i=i", from_top(a, 0, 1))                                                                  \
  X(v_ffbl_b32, , "i=i", from_bottom(a))                                                                     \
  X(v_ffbh_i32, , "i=i", from_top(a, 1, a >> 31 ? 0 : 1))                                                    \
  X(v_sat_pk_u8_i16, , "i=i",                                                                                \
    saturated_u(sign_extended(a, 16), 8) | saturated_u(sign_extended(a >> 16, 16), 8) << 8)                  \
  X(v_prng_b32, , "i=i", a * 2 ^ (A < 0 ? 0xc5 : 0))                                                         \
  X(v_add_u32, , "i=ii", a + b)                                                                              \
  X(v_add_u32, clamp, "i=ii clamp", saturated_u((int64_t)a + b, 32))                                         \
  X(v_sub_u32, , "i=ii", a - b)                                                                              \
  X(v_sub_u32, clamp, "i=ii clamp", saturated_u((int64_t)a - b, 32))                                         \
  X(v_subrev_u32, , "i=ii", b - a)                                                                           \
  X(v_subrev_u32, clamp, "i=ii clamp", saturated_u((int64_t)b - a, 32))                                      \
  X(v_add_i32, , "i=ii", a + b)                                                                              \
  X(v_add_i32, clamp, "i=ii clamp", saturated_i(A + B, 32))                                                  \
  X(v_sub_i32, , "i=ii", a - b)                                                                              \
  X(v_sub_i32, clamp, "i=ii clamp", saturated_i(A - B, 32))                                                  \
  X(v_min_i32, , "i=ii", smaller(A, B))                                                                      \
  X(v_max_i32, , "i=ii", larger(A, B))                                                                       \
  X(v_min_u32, , "i=ii", smaller(a, b))                                                                      \
  X(v_max_u32, , "i=ii", larger(a, b))                                                                       \
  X(v_lshrrev_b32, , "i=ii", b >> a % 32)                                                                    \
  X(v_ashrrev_i32, , "i=ii", B >> a % 32)                                                                    \
  X(v_lshlrev_b32, , "i=ii", (uint64_t)b << a % 32)                                                          \
  X(v_and_b32, , "i=ii", a &b)                                                                               \
  X(v_or_b32, , "i=ii", a | b)                                                                               \
  X(v_xor_b32, , "i=ii", a ^ b)                                                                              \
  X(v_xnor_b32, , "i=ii", ~(a ^ b))                                                                          \
  X(v_mul_i32_i24, , "i=ii", sign_extended(a, 24) * sign_extended(b, 24))                                    \
  X(v_mul_hi_i32_i24, , "i=ii", sign_extended(a, 24) * sign_extended(b, 24) >> 32)                           \
  X(v_mul_u32_u24, , "i=ii", low_bits(a, 24) * low_bits(b, 24))                                              \
  X(v_mul_hi_u32_u24, , "i=ii", low_bits(a, 24) * low_bits(b, 24) >> 32)                                     \
  X(v_mul_lo_u32, , "i=ii", (uint64_t)a *b)                                                                  \
  X(v_mul_hi_u32, , "i=ii", (uint64_t)a *b >> 32)                                                            \
  X(v_mul_hi_i32, , "i=ii", A *B >> 32)                                                                      \
  X(v_bcnt_u32_b32, , "i=ii", ones(a) + b)                                                                   \
  X(v_mbcnt_lo_u32_b32, , "i=ii", ones(low_bits(a, x->lane < 32 ? x->lane : 32)) + b)                        \
  X(v_mbcnt_hi_u32_b32, , "i=ii", ones(low_bits(a, x->lane < 32 ? 0 : x->lane - 32)) + b)                    \
  X(v_bfm_b32, , "i=ii", low_bits(UINT64_MAX, a % 32) << b % 32)                                             \
  X(v_cvt_pk_u16_u32, , "i=ii", saturated_u(a, 16) | saturated_u(b, 16) << 16)                               \
  X(v_cvt_pk_i16_i32, , "i=ii", saturated_i(A, 16) | saturated_i(B, 16) << 16)                               \
  X(v_cndmask_b32, , "i=iik", x->carry_in ? b : a)                                                           \
  X(v_add3_u32, , "i=iii", a + b + c)                                                                        \
  X(v_lshl_add_u32, , "i=iii", ((uint64_t)a << b % 32) + c)                                                  \
  X(v_add_lshl_u32, , "i=iii", (uint64_t)(a + b) << c % 32)                                                  \
  X(v_lshl_or_b32, , "i=iii", ((uint64_t)a << b % 32) | c)                                                   \
  X(v_and_or_b32, , "i=iii", (a & b) | c)                                                                    \
  X(v_or3_b32, , "i=iii", a | b | c)                                                                         \
  X(v_xad_u32, , "i=iii", (a ^ b) + c)                                                                       \
  X(v_bfe_u32, , "i=iii", field_u(a, b % 32, c % 32))                                                        \
  X(v_bfe_i32, , "i=iii", field_i(a, b % 32, c % 32))                                                        \
  X(v_bfi_b32, , "i=iii", (a & b) | (~a & c))                                                                \
  X(v_alignbit_b32, , "i=iii", ((uint64_t)a << 32 | b) >> c % 32)                                            \
  X(v_alignbyte_b32, , "i=iii", ((uint64_t)a << 32 | b) >> 8 * (c % 4))                                      \
  X(v_min3_i32, , "i=iii", smaller(smaller(A, B), C))                                                        \
  X(v_max3_i32, , "i=iii", larger(larger(A, B), C))                                                          \
  X(v_med3_i32, , "i=iii", middle(A, B, C))                                                                  \
  X(v_min3_u32, , "i=iii", smaller(smaller(a, b), c))                                                        \
  X(v_max3_u32, , "i=iii", larger(larger(a, b), c))                                                          \
  X(v_med3_u32, , "i=iii", middle(a, b, c))                                                                  \
  X(v_perm_b32, , "i=iii", permuted(a, b, c))                                                                \
  X(v_lerp_u8, , "i=iii", averages(a, b, c))                                                                 \
  X(v_mad_i32_i24, , "i=iii", sign_extended(a, 24) * sign_extended(b, 24) + C)                               \
  X(v_mad_i32_i24, clamp, "i=iii clamp", saturated_i(sign_extended(a, 24) * sign_extended(b, 24) + C, 32))   \
  X(v_mad_u32_u24, , "i=iii", low_bits(a, 24) * low_bits(b, 24) + c)                                         \
  X(v_mad_u32_u24, clamp, "i=iii clamp", saturated_u((int64_t)(low_bits(a, 24) * low_bits(b, 24)) + c, 32))  \
  X(v_mad_u32_u16, , "i=ssi", low_bits(a, 16) * low_bits(b, 16) + c)                                         \
  X(v_mad_u32_u16, clamp, "i=ssi clamp", saturated_u((int64_t)(low_bits(a, 16) * low_bits(b, 16)) + c, 32))  \
  X(v_mad_i32_i16, , "i=ssi", sign_extended(a, 16) * sign_extended(b, 16) + C)                               \
  X(v_mad_i32_i16, clamp, "i=ssi clamp", saturated_i(sign_extended(a, 16) * sign_extended(b, 16) + C, 32))   \
  X(v_sad_u8, , "i=iii", distances(a, b, 8, false) + c)                                                      \
  X(v_sad_u8, clamp, "i=iii clamp", saturated_u(distances(a, b, 8, false) + c, 32))                          \
  X(v_sad_hi_u8, , "i=iii", (distances(a, b, 8, false) << 16) + c)                                           \
  X(v_sad_hi_u8, clamp, "i=iii clamp", saturated_u((distances(a, b, 8, false) << 16) + c, 32))               \
  X(v_sad_u16, , "i=iii", distances(a, b, 16, false) + c)                                                    \
  X(v_sad_u16, clamp, "i=iii clamp", saturated_u(distances(a, b, 16, false) + c, 32))                        \
  X(v_sad_u32, , "i=iii", distances(a, b, 32, false) + c)                                                    \
  X(v_sad_u32, clamp, "i=iii clamp", saturated_u(distances(a, b, 32, false) + c, 32))                        \
  X(v_msad_u8, , "i=iii", distances(a, b, 8, true) + c)                                                      \
  X(v_msad_u8, clamp, "i=iii clamp", saturated_u(distances(a, b, 8, true) + c, 32))                          \
  X(v_dot2_i32_i16, , "i=ppi", dot_i(a, b, 16) + C)                                                          \
  X(v_dot2_i32_i16, clamp, "i=ppi clamp", saturated_i(dot_i(a, b, 16) + C, 32))                              \
  X(v_dot2_u32_u16, , "i=ppi", dot_u(a, b, 16) + c)                                                          \
  X(v_dot2_u32_u16, clamp, "i=ppi clamp", saturated_u(dot_u(a, b, 16) + c, 32))                              \
  X(v_dot4_i32_i8, , "i=iii", dot_i(a, b, 8) + C)                                                            \
  X(v_dot4_i32_i8, clamp, "i=iii clamp", saturated_i(dot_i(a, b, 8) + C, 32))                                \
  X(v_dot4_u32_u8, , "i=iii", dot_u(a, b, 8) + c)                                                            \
  X(v_dot4_u32_u8, clamp, "i=iii clamp", saturated_u(dot_u(a, b, 8) + c, 32))                                \
  X(v_dot8_i32_i4, , "i=iii", dot_i(a, b, 4) + C)                                                            \
  X(v_dot8_i32_i4, clamp, "i=iii clamp", saturated_i(dot_i(a, b, 4) + C, 32))                                \
  X(v_dot8_u32_u4, , "i=iii", dot_u(a, b, 4) + c)                                                            \
  X(v_dot8_u32_u4, clamp, "i=iii clamp", saturated_u(dot_u(a, b, 4) + c, 32))                                \
  X(v_dot2c_i32_i16, , "i=pp", dot_i(a, b, 16) + O)                                                          \
  X(v_dot4c_i32_i8, , "i=ii", dot_i(a, b, 8) + O)                                                            \
  X(v_dot8c_i32_i4, , "i=ii", dot_i(a, b, 4) + O)                                                            \
  X(v_bitop3_b32, none, "i=iii bitop3:0x0", 0)                                                               \
  X(v_bitop3_b32, row0, "i=iii bitop3:0x1", by_table(a, b, c, 0x01))                                         \
  X(v_bitop3_b32, row1, "i=iii bitop3:0x2", by_table(a, b, c, 0x02))                                         \
  X(v_bitop3_b32, row2, "i=iii bitop3:0x4", by_table(a, b, c, 0x04))                                         \
  X(v_bitop3_b32, row3, "i=iii bitop3:0x8", by_table(a, b, c, 0x08))                                         \
  X(v_bitop3_b32, row4, "i=iii bitop3:0x10", by_table(a, b, c, 0x10))                                        \
  X(v_bitop3_b32, row5, "i=iii bitop3:0x20", by_table(a, b, c, 0x20))                                        \
  X(v_bitop3_b32, row6, "i=iii bitop3:0x40", by_table(a, b, c, 0x40))                                        \
  X(v_bitop3_b32, row7, "i=iii bitop3:0x80", by_table(a, b, c, 0x80))                                        \
  X(v_bitop3_b32, some, "i=iii bitop3:0x6c", by_table(a, b, c, 0x6c))

/* ---- 16 bits: a, b, c and A, B, C are the lower halves ---- */

#define ROWS_16(X)                                                                                           \
  X(v_add_u16, , "s=ss", a + b)                                                                              \
  X(v_add_u16, clamp, "s=ss clamp", saturated_u((int64_t)a + b, 16))                                         \
  X(v_sub_u16, , "s=ss", a - b)                                                                              \
  X(v_sub_u16, clamp, "s=ss clamp", saturated_u((int64_t)a - b, 16))                                         \
  X(v_subrev_u16, , "s=ss", b - a)                                                                           \
  X(v_subrev_u16, clamp, "s=ss clamp", saturated_u((int64_t)b - a, 16))                                      \
  X(v_add_i16, , "S=ss", a + b)                                                                              \
  X(v_add_i16, clamp, "S=ss clamp", saturated_i(A + B, 16))                                                  \
  X(v_sub_i16, , "S=ss", a - b)                                                                              \
  X(v_sub_i16, clamp, "S=ss clamp", saturated_i(A - B, 16))                                                  \
  X(v_mul_lo_u16, , "s=ss", a *b)                                                                            \
  X(v_lshlrev_b16, , "s=ss", b << a % 16)                                                                    \
  X(v_lshrrev_b16, , "s=ss", b >> a % 16)                                                                    \
  X(v_ashrrev_i16, , "s=ss", B >> a % 16)                                                                    \
  X(v_max_u16, , "s=ss", larger(a, b))                                                                       \
  X(v_min_u16, , "s=ss", smaller(a, b))                                                                      \
  X(v_max_i16, , "s=ss", larger(A, B))                                                                       \
  X(v_min_i16, , "s=ss", smaller(A, B))                                                                      \
  X(v_min3_i16, , "S=sss", smaller(smaller(A, B), C))                                                        \
  X(v_max3_i16, , "S=sss", larger(larger(A, B), C))                                                          \
  X(v_med3_i16, , "S=sss", middle(A, B, C))                                                                  \
  X(v_min3_u16, , "S=sss", smaller(smaller(a, b), c))                                                        \
  X(v_max3_u16, , "S=sss", larger(larger(a, b), c))                                                          \
  X(v_med3_u16, , "S=sss", middle(a, b, c))                                                                  \
  X(v_mad_u16, , "S=sss", a *b + c)                                                                          \
  X(v_mad_u16, clamp, "S=sss clamp", saturated_u((int64_t)a *b + c, 16))                                     \
  X(v_mad_i16, , "S=sss", A *B + C)                                                                          \
  X(v_mad_i16, clamp, "S=sss clamp", saturated_i(A *B + C, 16))                                              \
  X(v_mad_legacy_u16, , "s=sss", a *b + c)                                                                   \
  X(v_mad_legacy_u16, clamp, "s=sss clamp", saturated_u((int64_t)a *b + c, 16))                              \
  X(v_mad_legacy_i16, , "s=sss", A *B + C)                                                                   \
  X(v_mad_legacy_i16, clamp, "s=sss clamp", saturated_i(A *B + C, 16))                                       \
  X(v_bitop3_b16, , "s=sss bitop3:0xe4", by_table(a, b, c, 0xe4))

/* ---- pairs of 16 bits: each half as above ---- */

#define ROWS_PAIR(X)                                                                                         \
  X(v_pk_mad_i16, , "p=ppp", A *B + C)                                                                       \
  X(v_pk_mad_i16, clamp, "p=ppp clamp", saturated_i(A *B + C, 16))                                           \
  X(v_pk_mul_lo_u16, , "p=pp", a *b)                                                                         \
  X(v_pk_add_i16, , "p=pp", a + b)                                                                           \
  X(v_pk_add_i16, clamp, "p=pp clamp", saturated_i(A + B, 16))                                               \
  X(v_pk_sub_i16, , "p=pp", a - b)                                                                           \
  X(v_pk_sub_i16, clamp, "p=pp clamp", saturated_i(A - B, 16))                                               \
  X(v_pk_lshlrev_b16, , "p=pp", b << a % 16)                                                                 \
  X(v_pk_lshrrev_b16, , "p=pp", b >> a % 16)                                                                 \
  X(v_pk_ashrrev_i16, , "p=pp", B >> a % 16)                                                                 \
  X(v_pk_max_i16, , "p=pp", larger(A, B))                                                                    \
  X(v_pk_min_i16, , "p=pp", smaller(A, B))                                                                   \
  X(v_pk_mad_u16, , "p=ppp", a *b + c)                                                                       \
  X(v_pk_mad_u16, clamp, "p=ppp clamp", saturated_u((int64_t)a *b + c, 16))                                  \
  X(v_pk_add_u16, , "p=pp", a + b)                                                                           \
  X(v_pk_add_u16, clamp, "p=pp clamp", saturated_u((int64_t)a + b, 16))                                      \
  X(v_pk_sub_u16, , "p=pp", a - b)                                                                           \
  X(v_pk_sub_u16, clamp, "p=pp clamp", saturated_u((int64_t)a - b, 16))                                      \
  X(v_pk_max_u16, , "p=pp", larger(a, b))                                                                    \
  X(v_pk_min_u16, , "p=pp", smaller(a, b))

/* ---- 64 bits: a, b, c unsigned; A, B, C the lower halves signed ---- */

#define ROWS_64(X)                                                                                           \
  X(v_mov_b64, , "l=l", a)                                                                                   \
  X(v_lshlrev_b64, , "l=il", b << a % 64)                                                                    \
  X(v_lshrrev_b64, , "l=il", b >> a % 64)                                                                    \
  X(v_ashrrev_i64, , "l=il", (uint64_t)((int64_t)b >> a % 64))                                               \
  X(v_lshl_add_u64, , "l=lil", (a << b % 8) + c)                                                             \
  X(v_qsad_pk_u16_u8, , "l=lil", four_distances(a, (uint32_t)b, c, false, false))                            \
  X(v_qsad_pk_u16_u8, clamp, "l=lil clamp", four_distances(a, (uint32_t)b, c, false, true))                  \
  X(v_mqsad_pk_u16_u8, , "l=lil", four_distances(a, (uint32_t)b, c, true, false))                            \
  X(v_mqsad_pk_u16_u8, clamp, "l=lil clamp", four_distances(a, (uint32_t)b, c, true, true))                  \
  X(v_pk_mov_b32, ll, "l=ll op_sel:[0,0]", low_bits(a, 32) | b << 32)                                        \
  X(v_pk_mov_b32, hl, "l=ll op_sel:[1,0]", a >> 32 | b << 32)                                                \
  X(v_pk_mov_b32, lh, "l=ll op_sel:[0,1]", low_bits(a, 32) | (b >> 32 << 32))                                \
  X(v_pk_mov_b32, hh, "l=ll op_sel:[1,1]", a >> 32 | (b >> 32 << 32))

/* ---- carries: the result in full ---- */

#define ROWS_CARRY(X)                                                                                        \
  X(v_add_co_u32, , "ic=ii", A + B, 32)                                                                      \
  X(v_sub_co_u32, , "ic=ii", A - B, 32)                                                                      \
  X(v_subrev_co_u32, , "ic=ii", B - A, 32)                                                                   \
  X(v_addc_co_u32, , "ic=iik", A + B + x->carry_in, 32)                                                      \
  X(v_subb_co_u32, , "ic=iik", A - B - x->carry_in, 32)                                                      \
  X(v_subbrev_co_u32, , "ic=iik", B - A - x->carry_in, 32)                                                   \
  X(v_mad_u64_u32, , "lc=iil", A *B + C, 64)                                                                 \
  X(v_mad_i64_i32, , "lc=iil",                                                                               \
    (__int128)sign_extended(x->s[0], 32) * sign_extended(x->s[1], 32) + (int64_t)x->s[2], 64)

/* With clamp, what carries is the limit. */
#define ROWS_CARRY_CLAMP(X)                                                                                  \
  X(v_add_co_u32, "ic=ii clamp", (int64_t)a + b)                                                             \
  X(v_sub_co_u32, "ic=ii clamp", (int64_t)a - b)                                                             \
  X(v_subrev_co_u32, "ic=ii clamp", (int64_t)b - a)                                                          \
  X(v_addc_co_u32, "ic=iik clamp", (int64_t)a + b + x->carry_in)                                             \
  X(v_subb_co_u32, "ic=iik clamp", (int64_t)a - b - x->carry_in)                                             \
  X(v_subbrev_co_u32, "ic=iik clamp", (int64_t)b - a - x->carry_in)

/* ---- lists to functions ---- */

/* Not every expression speaks of all. */
#define UNUSED(a, b, c) ((void)(a), (void)(b), (void)(c))

#define FUNCTION_32(name, more, types, expression)                                                           \
  static uint64_t name##_##more(struct isa_lane *x) {                                                        \
    uint32_t a = (uint32_t)x->s[0], b = (uint32_t)x->s[1], c = (uint32_t)x->s[2];                            \
    int64_t A = sign_extended(a, 32), B = sign_extended(b, 32), C = sign_extended(c, 32),                    \
            O = sign_extended(x->old, 32);                                                                   \
    UNUSED(a, b, c);                                                                                         \
    UNUSED(A, B, C);                                                                                         \
    (void)O;                                                                                                 \
    return (uint32_t)(expression);                                                                           \
  }
ROWS_32(FUNCTION_32)

#define SIXTEEN_BITS(name, more, expression)                                                                 \
  static uint64_t name##_##more##_of(uint32_t a, uint32_t b, uint32_t c) {                                   \
    int64_t A = sign_extended(a, 16), B = sign_extended(b, 16), C = sign_extended(c, 16);                    \
    UNUSED(a, b, c);                                                                                         \
    UNUSED(A, B, C);                                                                                         \
    return (uint16_t)(expression);                                                                           \
  }
#define FUNCTION_16(name, more, types, expression)                                                           \
  SIXTEEN_BITS(name, more, expression)                                                                       \
  static uint64_t name##_##more(struct isa_lane *x) {                                                        \
    uint64_t kept = (types)[0] == 'S' ? x->old & 0xffff0000 : 0;                                             \
    return kept | name##_##more##_of(x->s[0] & 0xffff, x->s[1] & 0xffff, x->s[2] & 0xffff);                  \
  }
ROWS_16(FUNCTION_16)

#define FUNCTION_PAIR(name, more, types, expression)                                                         \
  SIXTEEN_BITS(name, more, expression)                                                                       \
  static uint64_t name##_##more(struct isa_lane *x) {                                                        \
    return name##_##more##_of(x->s[0] & 0xffff, x->s[1] & 0xffff, x->s[2] & 0xffff) |                        \
           name##_##more##_of(x->s[0] >> 16 & 0xffff, x->s[1] >> 16 & 0xffff, x->s[2] >> 16 & 0xffff) << 16; \
  }
ROWS_PAIR(FUNCTION_PAIR)

#define FUNCTION_64(name, more, types, expression)                                                           \
  static uint64_t name##_##more(struct isa_lane *x) {                                                        \
    uint64_t a = x->s[0], b = x->s[1], c = x->s[2];                                                          \
    UNUSED(a, b, c);                                                                                         \
    return (expression);                                                                                     \
  }
ROWS_64(FUNCTION_64)

#define FUNCTION_CARRY(name, more, types, expression, width)                                                 \
  static uint64_t name##_##more(struct isa_lane *x) {                                                        \
    unsigned __int128 A = x->s[0], B = x->s[1], C = x->s[2];                                                 \
    UNUSED(A, B, C);                                                                                         \
    unsigned __int128 full = (unsigned __int128)(expression);                                                \
    x->carry_out = full >> (width)&1;                                                                        \
    return (uint64_t)(full << (128 - (width)) >> (128 - (width)));                                           \
  }
ROWS_CARRY(FUNCTION_CARRY)

#define FUNCTION_CARRY_CLAMP(name, types, expression)                                                        \
  static uint64_t name##_clamp(struct isa_lane *x) {                                                         \
    uint32_t a = (uint32_t)x->s[0], b = (uint32_t)x->s[1];                                                   \
    int64_t full = (expression);                                                                             \
    x->carry_out = full < 0 || full > UINT32_MAX;                                                            \
    return saturated_u(full, 32);                                                                            \
  }
ROWS_CARRY_CLAMP(FUNCTION_CARRY_CLAMP)

/* ---- lists to cases ---- */

#define CASE(name, more, types, ...)        {#name, types, name##_##more},
#define CASE_CLAMP(name, types, expression) {#name, types, name##_clamp},

static const struct isa_case cases[] = {
    ROWS_32(CASE) ROWS_16(CASE) ROWS_PAIR(CASE) ROWS_64(CASE) ROWS_CARRY(CASE)
        ROWS_CARRY_CLAMP(CASE_CLAMP){"v_mqsad_u32_u8", "x=lix", four_wide_distances},
};

ISA_SUBJECT_OF_CASES(integer, cases)
