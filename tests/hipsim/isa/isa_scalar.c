/* References of scalar arithmetic (CDNA ISA guides, chapter "Instructions", SOP1, SOP2, SOPC, SOPK), and what runs them.
 * Program control is in isa_program.c. */
#include "isa_scalar.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../alu_wave.h"
#include "isa_assemble.h"
#include "isa_coverage.h"
#include "isa_values.h"

/* What an instruction sees, and leaves. */
struct scalar {
  uint64_t a, b, d; /* sources; the destination before, then after */
  uint64_t exec;
  uint32_t scc;
};

/* types: destination (i, l: 32 and 64 bits, n: none), '=', sources (i, l, and k: a 16-bit constant). */
struct scalar_case {
  const char *name, *types;
  void (*expect)(struct scalar *x);
};

/* ---- small functions ---- */

static uint64_t low_bits(uint64_t value, unsigned width) {
  return width >= 64 ? value : value & ((UINT64_C(1) << width) - 1);
}

static int64_t sign_extended(uint64_t value, unsigned width) {
  return (int64_t)(value << (64 - width)) >> (64 - width);
}

static uint64_t reversed(uint64_t value, unsigned width) {
  uint64_t result = 0;
  for (unsigned i = 0; i < width; i++)
    result |= (value >> i & 1) << (width - 1 - i);
  return result;
}

static uint64_t count_of(uint64_t value, unsigned width, unsigned wanted) {
  uint64_t count = 0;
  for (unsigned i = 0; i < width; i++)
    count += (value >> i & 1) == wanted;
  return count;
}

static uint64_t lowest(uint64_t value, unsigned width, unsigned wanted) {
  for (unsigned i = 0; i < width; i++)
    if ((value >> i & 1) == wanted)
      return i;
  return UINT32_MAX;
}

/* Distance from the top to the first bit that is `wanted`. */
static uint64_t highest(uint64_t value, unsigned width, unsigned wanted) {
  for (unsigned i = 0; i < width; i++)
    if ((value >> (width - 1 - i) & 1) == wanted)
      return i;
  return UINT32_MAX;
}

static uint64_t sign_run(uint64_t value, unsigned width) {
  return highest(value, width, value >> (width - 1) & 1 ? 0 : 1);
}

static uint64_t quads(uint64_t value, unsigned width, bool whole) {
  uint64_t result = 0;
  for (unsigned i = 0; i < width; i += 4)
    if (value >> i & 15)
      result |= whole ? UINT64_C(15) << i : UINT64_C(1) << i / 4;
  return result;
}

static uint64_t doubled_bits(uint32_t value) {
  uint64_t result = 0;
  for (unsigned i = 0; i < 64; i++)
    result |= (uint64_t)(value >> i / 2 & 1) << i;
  return result;
}

/* The field's offset lies in the low bits of `control`, its width in bits 16 to 22; what is past the top is the sign. */
static uint64_t signed_field(int64_t value, unsigned offset, unsigned width) {
  int64_t shifted = value >> offset;
  return (uint64_t)(width == 0 ? 0 : width >= 64 ? shifted : sign_extended((uint64_t)shifted, width));
}

#define WIDTH_OF(control) ((control) >> 16 & 0x7f)

/* ---- rows: a, b unsigned; A, B 32 bits signed; d the result, old what was there ---- */

#define NONZERO (d != 0)
#define KEPT    x->scc

#define ROWS_32(X)                                                                                           \
  X(s_mov_b32, "i=i", a, KEPT)                                                                               \
  X(s_cmov_b32, "i=i", x->scc ? a : old, KEPT)                                                               \
  X(s_not_b32, "i=i", ~a, NONZERO)                                                                           \
  X(s_wqm_b32, "i=i", quads(a, 32, true), NONZERO)                                                           \
  X(s_quadmask_b32, "i=i", quads(a, 32, false), NONZERO)                                                     \
  X(s_brev_b32, "i=i", reversed(a, 32), KEPT)                                                                \
  X(s_bcnt0_i32_b32, "i=i", count_of(a, 32, 0), NONZERO)                                                     \
  X(s_bcnt0_i32_b64, "i=l", count_of(a, 64, 0), NONZERO)                                                     \
  X(s_bcnt1_i32_b32, "i=i", count_of(a, 32, 1), NONZERO)                                                     \
  X(s_bcnt1_i32_b64, "i=l", count_of(a, 64, 1), NONZERO)                                                     \
  X(s_ff0_i32_b32, "i=i", lowest(a, 32, 0), KEPT)                                                            \
  X(s_ff0_i32_b64, "i=l", lowest(a, 64, 0), KEPT)                                                            \
  X(s_ff1_i32_b32, "i=i", lowest(a, 32, 1), KEPT)                                                            \
  X(s_ff1_i32_b64, "i=l", lowest(a, 64, 1), KEPT)                                                            \
  X(s_flbit_i32_b32, "i=i", highest(a, 32, 1), KEPT)                                                         \
  X(s_flbit_i32_b64, "i=l", highest(a, 64, 1), KEPT)                                                         \
  X(s_flbit_i32, "i=i", sign_run(a, 32), KEPT)                                                               \
  X(s_flbit_i32_i64, "i=l", sign_run(a, 64), KEPT)                                                           \
  X(s_sext_i32_i8, "i=i", sign_extended(a, 8), KEPT)                                                         \
  X(s_sext_i32_i16, "i=i", sign_extended(a, 16), KEPT)                                                       \
  X(s_bitset0_b32, "i=i", old & ~(UINT64_C(1) << a % 32), KEPT)                                              \
  X(s_bitset1_b32, "i=i", old | UINT64_C(1) << a % 32, KEPT)                                                 \
  X(s_abs_i32, "i=i", A < 0 ? -A : A, NONZERO)                                                               \
  X(s_add_u32, "i=ii", a + b, a + b > UINT32_MAX)                                                            \
  X(s_sub_u32, "i=ii", a - b, b > a)                                                                         \
  X(s_add_i32, "i=ii", a + b, A + B != (int32_t)d)                                                           \
  X(s_sub_i32, "i=ii", a - b, A - B != (int32_t)d)                                                           \
  X(s_addc_u32, "i=ii", a + b + x->scc, a + b + x->scc > UINT32_MAX)                                         \
  X(s_subb_u32, "i=ii", a - b - x->scc, b + x->scc > a)                                                      \
  X(s_min_i32, "i=ii", A < B ? A : B, A < B)                                                                 \
  X(s_min_u32, "i=ii", a < b ? a : b, a < b)                                                                 \
  X(s_max_i32, "i=ii", A >= B ? A : B, A >= B)                                                               \
  X(s_max_u32, "i=ii", a >= b ? a : b, a >= b)                                                               \
  X(s_cselect_b32, "i=ii", x->scc ? a : b, KEPT)                                                             \
  X(s_and_b32, "i=ii", a &b, NONZERO)                                                                        \
  X(s_or_b32, "i=ii", a | b, NONZERO)                                                                        \
  X(s_xor_b32, "i=ii", a ^ b, NONZERO)                                                                       \
  X(s_andn2_b32, "i=ii", a & ~b, NONZERO)                                                                    \
  X(s_orn2_b32, "i=ii", a | ~b, NONZERO)                                                                     \
  X(s_nand_b32, "i=ii", ~(a & b), NONZERO)                                                                   \
  X(s_nor_b32, "i=ii", ~(a | b), NONZERO)                                                                    \
  X(s_xnor_b32, "i=ii", ~(a ^ b), NONZERO)                                                                   \
  X(s_lshl_b32, "i=ii", a << b % 32, NONZERO)                                                                \
  X(s_lshr_b32, "i=ii", a >> b % 32, NONZERO)                                                                \
  X(s_ashr_i32, "i=ii", A >> b % 32, NONZERO)                                                                \
  X(s_bfm_b32, "i=ii", low_bits(UINT64_MAX, a % 32) << b % 32, KEPT)                                         \
  X(s_mul_i32, "i=ii", A *B, KEPT)                                                                           \
  X(s_bfe_u32, "i=ii", low_bits(a >> b % 32, WIDTH_OF(b)), NONZERO)                                          \
  X(s_bfe_i32, "i=ii", signed_field(A, b % 32, WIDTH_OF(b)), NONZERO)                                        \
  X(s_absdiff_i32, "i=ii", (int32_t)(a - b) < 0 ? b - a : a - b, NONZERO)                                    \
  X(s_mul_hi_u32, "i=ii", a *b >> 32, KEPT)                                                                  \
  X(s_mul_hi_i32, "i=ii", A *B >> 32, KEPT)                                                                  \
  X(s_lshl1_add_u32, "i=ii", a * 2 + b, a * 2 + b > UINT32_MAX)                                              \
  X(s_lshl2_add_u32, "i=ii", a * 4 + b, a * 4 + b > UINT32_MAX)                                              \
  X(s_lshl3_add_u32, "i=ii", a * 8 + b, a * 8 + b > UINT32_MAX)                                              \
  X(s_lshl4_add_u32, "i=ii", a * 16 + b, a * 16 + b > UINT32_MAX)                                            \
  X(s_pack_ll_b32_b16, "i=ii", low_bits(a, 16) | b << 16, KEPT)                                              \
  X(s_pack_lh_b32_b16, "i=ii", low_bits(a, 16) | (b >> 16 << 16), KEPT)                                      \
  X(s_pack_hh_b32_b16, "i=ii", a >> 16 | (b >> 16 << 16), KEPT)                                              \
  X(s_movk_i32, "i=k", B, KEPT)                                                                              \
  X(s_cmovk_i32, "i=k", x->scc ? (uint64_t)B : old, KEPT)                                                    \
  X(s_addk_i32, "i=k", old + (uint64_t)B, (int32_t)old + B != (int32_t)d)                                    \
  X(s_mulk_i32, "i=k", old *(uint64_t)B, KEPT)

#define ROWS_64(X)                                                                                           \
  X(s_mov_b64, "l=l", a, KEPT)                                                                               \
  X(s_cmov_b64, "l=l", x->scc ? a : old, KEPT)                                                               \
  X(s_not_b64, "l=l", ~a, NONZERO)                                                                           \
  X(s_wqm_b64, "l=l", quads(a, 64, true), NONZERO)                                                           \
  X(s_quadmask_b64, "l=l", quads(a, 64, false), NONZERO)                                                     \
  X(s_brev_b64, "l=l", reversed(a, 64), KEPT)                                                                \
  X(s_bitset0_b64, "l=i", old & ~(UINT64_C(1) << a % 64), KEPT)                                              \
  X(s_bitset1_b64, "l=i", old | UINT64_C(1) << a % 64, KEPT)                                                 \
  X(s_bitreplicate_b64_b32, "l=i", doubled_bits((uint32_t)a), KEPT)                                          \
  X(s_cselect_b64, "l=ll", x->scc ? a : b, KEPT)                                                             \
  X(s_and_b64, "l=ll", a &b, NONZERO)                                                                        \
  X(s_or_b64, "l=ll", a | b, NONZERO)                                                                        \
  X(s_xor_b64, "l=ll", a ^ b, NONZERO)                                                                       \
  X(s_andn2_b64, "l=ll", a & ~b, NONZERO)                                                                    \
  X(s_orn2_b64, "l=ll", a | ~b, NONZERO)                                                                     \
  X(s_nand_b64, "l=ll", ~(a & b), NONZERO)                                                                   \
  X(s_nor_b64, "l=ll", ~(a | b), NONZERO)                                                                    \
  X(s_xnor_b64, "l=ll", ~(a ^ b), NONZERO)                                                                   \
  X(s_lshl_b64, "l=li", a << b % 64, NONZERO)                                                                \
  X(s_lshr_b64, "l=li", a >> b % 64, NONZERO)                                                                \
  X(s_ashr_i64, "l=li", (uint64_t)((int64_t)a >> b % 64), NONZERO)                                           \
  X(s_bfm_b64, "l=ii", low_bits(UINT64_MAX, a % 64) << b % 64, KEPT)                                         \
  X(s_bfe_u64, "l=li", low_bits(a >> b % 64, WIDTH_OF(b)), NONZERO)                                          \
  X(s_bfe_i64, "l=li", signed_field((int64_t)a, b % 64, WIDTH_OF(b)), NONZERO)

/* EXEC changes, and what it was or is now is the result. */
#define ROWS_EXEC(X)                                                                                         \
  X(s_and_saveexec_b64, a &exec, exec)                                                                       \
  X(s_or_saveexec_b64, a | exec, exec)                                                                       \
  X(s_xor_saveexec_b64, a ^ exec, exec)                                                                      \
  X(s_andn2_saveexec_b64, a & ~exec, exec)                                                                   \
  X(s_orn2_saveexec_b64, a | ~exec, exec)                                                                    \
  X(s_nand_saveexec_b64, ~(a & exec), exec)                                                                  \
  X(s_nor_saveexec_b64, ~(a | exec), exec)                                                                   \
  X(s_xnor_saveexec_b64, ~(a ^ exec), exec)                                                                  \
  X(s_andn1_saveexec_b64, ~a &exec, exec)                                                                    \
  X(s_orn1_saveexec_b64, ~a | exec, exec)                                                                    \
  X(s_andn1_wrexec_b64, ~a &exec, x->exec)                                                                   \
  X(s_andn2_wrexec_b64, a & ~exec, x->exec)

#define ROWS_COMPARE(X)                                                                                      \
  X(s_cmp_eq_i32, "n=ii", A == B)                                                                            \
  X(s_cmp_lg_i32, "n=ii", A != B)                                                                            \
  X(s_cmp_gt_i32, "n=ii", A > B)                                                                             \
  X(s_cmp_ge_i32, "n=ii", A >= B)                                                                            \
  X(s_cmp_lt_i32, "n=ii", A < B)                                                                             \
  X(s_cmp_le_i32, "n=ii", A <= B)                                                                            \
  X(s_cmp_eq_u32, "n=ii", a == b)                                                                            \
  X(s_cmp_lg_u32, "n=ii", a != b)                                                                            \
  X(s_cmp_gt_u32, "n=ii", a > b)                                                                             \
  X(s_cmp_ge_u32, "n=ii", a >= b)                                                                            \
  X(s_cmp_lt_u32, "n=ii", a < b)                                                                             \
  X(s_cmp_le_u32, "n=ii", a <= b)                                                                            \
  X(s_cmp_eq_u64, "n=ll", a == b)                                                                            \
  X(s_cmp_lg_u64, "n=ll", a != b)                                                                            \
  X(s_bitcmp0_b32, "n=ii", !(a >> b % 32 & 1))                                                               \
  X(s_bitcmp1_b32, "n=ii", a >> b % 32 & 1)                                                                  \
  X(s_bitcmp0_b64, "n=li", !(a >> b % 64 & 1))                                                               \
  X(s_bitcmp1_b64, "n=li", a >> b % 64 & 1)                                                                  \
  X(s_cmpk_eq_i32, "n=ik", A == B)                                                                           \
  X(s_cmpk_lg_i32, "n=ik", A != B)                                                                           \
  X(s_cmpk_gt_i32, "n=ik", A > B)                                                                            \
  X(s_cmpk_ge_i32, "n=ik", A >= B)                                                                           \
  X(s_cmpk_lt_i32, "n=ik", A < B)                                                                            \
  X(s_cmpk_le_i32, "n=ik", A <= B)                                                                           \
  X(s_cmpk_eq_u32, "n=ik", a == low_bits(b, 16))                                                             \
  X(s_cmpk_lg_u32, "n=ik", a != low_bits(b, 16))                                                             \
  X(s_cmpk_gt_u32, "n=ik", a > low_bits(b, 16))                                                              \
  X(s_cmpk_ge_u32, "n=ik", a >= low_bits(b, 16))                                                             \
  X(s_cmpk_lt_u32, "n=ik", a < low_bits(b, 16))                                                              \
  X(s_cmpk_le_u32, "n=ik", a <= low_bits(b, 16))

/* ---- lists to functions ---- */

/* Not every expression speaks of all. */
#define NAMES                                                                                                \
  const uint64_t a = x->a, b = x->b, old = x->d;                                                             \
  const int64_t A = sign_extended(a, 32), B = sign_extended(b, 32);                                          \
  (void)a, (void)b, (void)old, (void)A, (void)B;

#define FUNCTION_32(name, types, result, flag)                                                               \
  static void name(struct scalar *x) {                                                                       \
    NAMES                                                                                                    \
    const uint32_t d = (uint32_t)(result);                                                                   \
    x->d = d;                                                                                                \
    x->scc = (flag) ? 1 : 0;                                                                                 \
  }
ROWS_32(FUNCTION_32)

#define FUNCTION_64(name, types, result, flag)                                                               \
  static void name(struct scalar *x) {                                                                       \
    NAMES                                                                                                    \
    const uint64_t d = (result);                                                                             \
    x->d = d;                                                                                                \
    x->scc = (flag) ? 1 : 0;                                                                                 \
  }
ROWS_64(FUNCTION_64)

#define FUNCTION_EXEC(name, next, result)                                                                    \
  static void name(struct scalar *x) {                                                                       \
    const uint64_t a = x->a, exec = x->exec;                                                                 \
    x->exec = (next);                                                                                        \
    x->d = (result);                                                                                         \
    x->scc = x->exec != 0;                                                                                   \
  }
ROWS_EXEC(FUNCTION_EXEC)

#define FUNCTION_COMPARE(name, types, flag)                                                                  \
  static void name(struct scalar *x) {                                                                       \
    NAMES                                                                                                    \
    x->scc = (flag) ? 1 : 0;                                                                                 \
  }
ROWS_COMPARE(FUNCTION_COMPARE)

#define CASE(name, types, ...)        {#name, types, name},
#define CASE_EXEC(name, next, result) {#name, "l=l", name},
static const struct scalar_case cases[] = {ROWS_32(CASE) ROWS_64(CASE) ROWS_EXEC(CASE_EXEC)
                                               ROWS_COMPARE(CASE)};
enum { CASES = sizeof cases / sizeof *cases };

const char *isa_proven_scalar(size_t index) {
  return index < CASES ? cases[index].name : NULL;
}

/* ---- running them ---- */

enum { A = 2, B = 4, D = 8 }; /* where operands lie */

static const uint32_t constants[] = {0, 1, 2, 0x1234, 0x7fff, 0x8000, 0xffff};
enum { CONSTANTS = sizeof constants / sizeof *constants };

/* One spelling: with a constant in the text, there is one for each. */
struct spelling {
  const struct scalar_case *c;
  enum sim_arch arch;
  uint32_t constant;
  char text[ISA_TEXT];
  struct sim_inst inst;
  bool failed;
};

static void put(char *text, const char *before, char type, unsigned index, uint32_t constant) {
  char *end = text + strlen(text);
  size_t room = ISA_TEXT - (size_t)(end - text);
  if (type == 'k')
    snprintf(end, room, "%s0x%x", before, constant);
  else if (type == 'l')
    snprintf(end, room, "%ss[%u:%u]", before, index, index + 1);
  else if (type != 'n')
    snprintf(end, room, "%ss%u", before, index);
}

static void spell(struct spelling *s) {
  const char *types = s->c->types, *separator = " ";
  snprintf(s->text, sizeof s->text, "%s", s->c->name);
  if (types[0] != 'n') {
    put(s->text, separator, types[0], D, 0);
    separator = ", ";
  }
  put(s->text, separator, types[2], A, s->constant);
  if (types[3])
    put(s->text, ", ", types[3], B, s->constant);
}

static uint64_t cut(char type, uint64_t value) {
  return type == 'l' ? value : (uint32_t)value;
}

static struct scalar run_one(const struct spelling *s, struct alu_wave *a, const struct scalar *x) {
  sim_write_s64(&a->w, A, x->a);
  sim_write_s64(&a->w, B, x->b);
  sim_write_s64(&a->w, D, x->d);
  sim_write_s64(&a->w, D + 2, UINT64_C(0x5eed5eed5eed5eed));
  sim_write_s64(&a->w, SIM_EXEC_LO, x->exec);
  a->w.scc = x->scc;
  a->w.now = &s->inst;
  a->handlers[s->inst.op](&a->w, &s->inst);
  if (sim_read_s64(&a->w, D + 2) != UINT64_C(0x5eed5eed5eed5eed))
    fail_msg("%s writes beyond its destination", s->text);
  return (struct scalar){.d = sim_read_s64(&a->w, D), .exec = sim_exec(&a->w), .scc = a->w.scc};
}

static void check(struct spelling *s, struct alu_wave *waves, const struct scalar *in) {
  struct scalar seen = *in, expected;
  char dst = s->c->types[0];
  /* what the reference sees: operands of their width, and a constant as source b, sign-extended */
  seen.a = cut(s->c->types[2], in->a);
  seen.b = cut(s->c->types[3], in->b);
  if (strchr(s->c->types, 'k'))
    seen.b = (uint64_t)sign_extended(s->constant, 16);
  seen.d = cut(dst, in->d);
  expected = seen;
  s->c->expect(&expected);
  if (dst != 'l') /* the next register is another's */
    expected.d = (dst == 'n' ? in->d & UINT32_MAX : expected.d) | (in->d & ~(uint64_t)UINT32_MAX);
  for (int v = 0; alu_variants()[v]; v++) {
    struct scalar got = run_one(s, &waves[v], in);
    bool equal = got.d == expected.d && got.scc == expected.scc && got.exec == expected.exec;
    if (!equal && !s->failed)
      fprintf(stderr,
              "%s: %s of 0x%llx, 0x%llx (before 0x%llx, SCC %u, EXEC 0x%llx): 0x%llx, SCC %u, EXEC 0x%llx; "
              "expected 0x%llx, SCC %u, EXEC 0x%llx (variant %d)\n",
              isa_arch_name(s->arch), s->text, (unsigned long long)in->a, (unsigned long long)in->b,
              (unsigned long long)in->d, in->scc, (unsigned long long)in->exec, (unsigned long long)got.d,
              got.scc, (unsigned long long)got.exec, (unsigned long long)expected.d, expected.scc,
              (unsigned long long)expected.exec, v);
    s->failed |= !equal;
  }
}

/* Every pair of edge values with SCC clear and set; a second source of bit fields is a random one at times. */
static void run_spelling(struct spelling *s, struct alu_wave *waves) {
  static const uint64_t execs[] = {0, UINT64_MAX, UINT64_C(0xf0f0123400000000)};
  uint64_t state = s->inst.op;
  size_t count = isa_value_count('l'), count32 = isa_value_count('i'), all = count + count32;
  for (size_t i = 0; i < all; i++)
    for (size_t k = 0; k < all + 8; k++)
      for (uint32_t scc = 0; scc < 2; scc++) {
        struct scalar x = {.a = i < count ? isa_value('l', i) : isa_value('i', i - count),
                           .b = k < count ? isa_value('l', k)
                                : k < all ? isa_value('i', k - count)
                                          : isa_random(&state) & 0x007f003f,
                           .d = isa_random(&state),
                           .exec = execs[(i + k) % 3],
                           .scc = scc};
        check(s, waves, &x);
      }
}

static size_t spell_all(struct spelling *spellings, enum sim_arch arch) {
  size_t n = 0;
  for (size_t i = 0; i < CASES; i++) {
    size_t count = strchr(cases[i].types, 'k') ? CONSTANTS : 1;
    enum sim_op op = isa_find(cases[i].name);
    for (size_t k = 0; k < count && sim_info[op].opcode[arch] >= 0; k++) {
      spellings[n] = (struct spelling){.c = &cases[i], .arch = arch, .constant = constants[k]};
      spell(&spellings[n++]);
    }
  }
  return n;
}

static unsigned run_arch(enum sim_arch arch, struct alu_wave *waves) {
  static struct spelling spellings[CASES * CONSTANTS];
  static char lines[CASES * CONSTANTS][ISA_TEXT];
  static struct isa_code code[CASES * CONSTANTS];
  size_t n = spell_all(spellings, arch);
  unsigned failures = 0;
  for (size_t i = 0; i < n; i++)
    memcpy(lines[i], spellings[i].text, sizeof lines[i]);
  assert_true(isa_assemble(arch, (const char(*)[ISA_TEXT])lines, n, code));
  for (size_t i = 0; i < n; i++) {
    struct spelling *s = &spellings[i];
    sim_decode(code[i].words, ISA_WORDS, arch, &s->inst);
    assert_int_equal(s->inst.op, isa_find(s->c->name));
    run_spelling(s, waves);
    failures += s->failed;
  }
  return failures;
}

unsigned isa_run_scalar(void) {
  struct alu_wave waves[3];
  unsigned failures = 0;
  int used = 0;
  for (sim_handler *const *const *v = alu_variants(); *v; v++)
    alu_open(&waves[used++], *v);
  for (unsigned arch = 0; arch < SIM_ARCHS; arch++)
    if (isa_knows((enum sim_arch)arch))
      failures += run_arch((enum sim_arch)arch, waves);
  for (int i = 0; i < used; i++)
    alu_free(&waves[i]);
  return failures;
}
