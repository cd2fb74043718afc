/* Scalar ALU and program control. Semantics: CDNA2 ISA guide, chapter "Instructions", SOP1 to SOPP. */
#include "bench/hipsim/sim_check.h"
#include "bench/hipsim/sim_handlers.h"
#include "bench/hipsim/sim_hwreg.h"
#include "bench/hipsim/sim_operand.h"
#include "bench/hipsim/sim_registers.h"

/* Names that the expressions below speak: a and b are the sources. */
#define WRITE32(value) (w->s[inst->dst] = (uint32_t)(value))
#define WRITE64(value) sim_write_s64(w, inst->dst, (uint64_t)(value))

#define UNARY32(name, expression, scc_expression)                                                            \
  SIM_DO(name) {                                                                                             \
    uint32_t a = sim_s32(w, inst, 0);                                                                        \
    uint32_t d = (uint32_t)(expression);                                                                     \
    (void)a;                                                                                                 \
    w->scc = (scc_expression);                                                                               \
    WRITE32(d);                                                                                              \
  }
#define UNARY64(name, expression, scc_expression)                                                            \
  SIM_DO(name) {                                                                                             \
    uint64_t a = sim_s64(w, inst, 0);                                                                        \
    uint64_t d = (uint64_t)(expression);                                                                     \
    w->scc = (scc_expression);                                                                               \
    WRITE64(d);                                                                                              \
  }
/* 64 bits in, 32 out. */
#define COUNT64(name, expression, scc_expression)                                                            \
  SIM_DO(name) {                                                                                             \
    uint64_t a = sim_s64(w, inst, 0);                                                                        \
    uint32_t d = (uint32_t)(expression);                                                                     \
    w->scc = (scc_expression);                                                                               \
    WRITE32(d);                                                                                              \
  }
#define BINARY32(name, expression, scc_expression)                                                           \
  SIM_DO(name) {                                                                                             \
    uint32_t a = sim_s32(w, inst, 0), b = sim_s32(w, inst, 1);                                               \
    uint32_t d = (uint32_t)(expression);                                                                     \
    w->scc = (scc_expression);                                                                               \
    WRITE32(d);                                                                                              \
  }
#define BINARY64(name, expression, scc_expression)                                                           \
  SIM_DO(name) {                                                                                             \
    uint64_t a = sim_s64(w, inst, 0), b = sim_s64(w, inst, 1);                                               \
    uint64_t d = (uint64_t)(expression);                                                                     \
    w->scc = (scc_expression);                                                                               \
    WRITE64(d);                                                                                              \
  }
/* The first source has 64 bits, the second 32. */
#define SHIFT64(name, expression, scc_expression)                                                            \
  SIM_DO(name) {                                                                                             \
    uint64_t a = sim_s64(w, inst, 0);                                                                        \
    uint32_t b = sim_s32(w, inst, 1);                                                                        \
    uint64_t d = (uint64_t)(expression);                                                                     \
    w->scc = (scc_expression);                                                                               \
    WRITE64(d);                                                                                              \
  }
#define KEEP    w->scc
#define NONZERO (d != 0)

/* ---- SOP1 ---- */

static uint32_t reverse32(uint32_t x) {
  x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
  x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
  x = (x >> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4;
  return __builtin_bswap32(x);
}

static uint64_t reverse64(uint64_t x) {
  return (uint64_t)reverse32((uint32_t)x) << 32 | reverse32((uint32_t)(x >> 32));
}

/* Leading bits that equal the sign, counted from the top; -1 when all do. */
static int32_t leading_sign(int64_t x, int width) {
  uint64_t differs = (uint64_t)(x < 0 ? ~x : x);
  return differs == 0 ? -1 : __builtin_clzll(differs) - (64 - width);
}

UNARY32(s_mov_b32, a, KEEP)
UNARY64(s_mov_b64, a, KEEP)
UNARY32(s_cmov_b32, w->scc ? a : w->s[inst->dst], KEEP)
UNARY64(s_cmov_b64, w->scc ? a : sim_read_s64(w, inst->dst), KEEP)
UNARY32(s_not_b32, ~a, NONZERO)
UNARY64(s_not_b64, ~a, NONZERO)
UNARY32(s_brev_b32, reverse32(a), KEEP)
UNARY64(s_brev_b64, reverse64(a), KEEP)
UNARY32(s_bcnt0_i32_b32, __builtin_popcount(~a), NONZERO)
COUNT64(s_bcnt0_i32_b64, __builtin_popcountll(~a), NONZERO)
UNARY32(s_bcnt1_i32_b32, __builtin_popcount(a), NONZERO)
COUNT64(s_bcnt1_i32_b64, __builtin_popcountll(a), NONZERO)
UNARY32(s_ff0_i32_b32, ~a ? __builtin_ctz(~a) : -1, KEEP)
COUNT64(s_ff0_i32_b64, ~a ? __builtin_ctzll(~a) : -1, KEEP)
UNARY32(s_ff1_i32_b32, a ? __builtin_ctz(a) : -1, KEEP)
COUNT64(s_ff1_i32_b64, a ? __builtin_ctzll(a) : -1, KEEP)
UNARY32(s_flbit_i32_b32, a ? __builtin_clz(a) : -1, KEEP)
COUNT64(s_flbit_i32_b64, a ? __builtin_clzll(a) : -1, KEEP)
UNARY32(s_flbit_i32, leading_sign((int32_t)a, 32), KEEP)
COUNT64(s_flbit_i32_i64, leading_sign((int64_t)a, 64), KEEP)
UNARY32(s_sext_i32_i8, (int8_t)a, KEEP)
UNARY32(s_sext_i32_i16, (int16_t)a, KEEP)
UNARY32(s_bitset0_b32, w->s[inst->dst] & ~(1u << (a & 31)), KEEP)
UNARY32(s_bitset1_b32, w->s[inst->dst] | 1u << (a & 31), KEEP)
UNARY32(s_abs_i32, (int32_t)a < 0 ? 0u - a : a, NONZERO)

SIM_DO(s_bitset0_b64) {
  uint64_t bit = UINT64_C(1) << (sim_s32(w, inst, 0) & 63);
  WRITE64(sim_read_s64(w, inst->dst) & ~bit);
}

SIM_DO(s_bitset1_b64) {
  uint64_t bit = UINT64_C(1) << (sim_s32(w, inst, 0) & 63);
  WRITE64(sim_read_s64(w, inst->dst) | bit);
}

SIM_DO(s_getpc_b64) {
  WRITE64(w->pc);
}

SIM_DO(s_setpc_b64) {
  w->pc = sim_s64(w, inst, 0);
}

SIM_DO(s_swappc_b64) {
  uint64_t target = sim_s64(w, inst, 0);
  WRITE64(w->pc);
  w->pc = target;
}

/* D = EXEC; EXEC = some function of the source and EXEC. */
#define SAVEEXEC(name, expression)                                                                           \
  SIM_DO(name) {                                                                                             \
    uint64_t a = sim_s64(w, inst, 0), exec = sim_exec(w);                                                    \
    uint64_t next = (expression);                                                                            \
    WRITE64(exec);                                                                                           \
    sim_write_s64(w, SIM_EXEC_LO, next);                                                                     \
    w->scc = next != 0;                                                                                      \
  }
SAVEEXEC(s_and_saveexec_b64, a &exec)
SAVEEXEC(s_or_saveexec_b64, a | exec)
SAVEEXEC(s_xor_saveexec_b64, a ^ exec)
SAVEEXEC(s_andn2_saveexec_b64, a & ~exec)
SAVEEXEC(s_orn2_saveexec_b64, a | ~exec)
SAVEEXEC(s_nand_saveexec_b64, ~(a &exec))
SAVEEXEC(s_nor_saveexec_b64, ~(a | exec))
SAVEEXEC(s_xnor_saveexec_b64, ~(a ^ exec))
SAVEEXEC(s_andn1_saveexec_b64, ~a &exec)
SAVEEXEC(s_orn1_saveexec_b64, ~a | exec)

/* EXEC and D = some function of the source and EXEC. */
#define WREXEC(name, expression)                                                                             \
  SIM_DO(name) {                                                                                             \
    uint64_t a = sim_s64(w, inst, 0), exec = sim_exec(w);                                                    \
    uint64_t next = (expression);                                                                            \
    sim_write_s64(w, SIM_EXEC_LO, next);                                                                     \
    WRITE64(next);                                                                                           \
    w->scc = next != 0;                                                                                      \
  }
WREXEC(s_andn1_wrexec_b64, ~a &exec)
WREXEC(s_andn2_wrexec_b64, a & ~exec)

/* ---- SOP2 ---- */

static bool add_overflows(uint32_t a, uint32_t b) {
  int32_t sum;
  return __builtin_add_overflow((int32_t)a, (int32_t)b, &sum);
}

static bool sub_overflows(uint32_t a, uint32_t b) {
  int32_t difference;
  return __builtin_sub_overflow((int32_t)a, (int32_t)b, &difference);
}

/* Bits [offset, offset + width) of x; the operand holds offset in its low bits and width from bit 16 on. */
static uint64_t field(uint64_t x, uint32_t control, unsigned offset_bits) {
  unsigned offset = control & ((1u << offset_bits) - 1), width = control >> 16 & 0x7f;
  uint64_t shifted = x >> offset;
  return width >= 64 ? shifted : shifted & ((UINT64_C(1) << width) - 1);
}

/* The same with the top bit of the field as sign; total: bits of x. */
static int64_t signed_field(int64_t x, uint32_t control, unsigned offset_bits, unsigned total) {
  unsigned offset = control & ((1u << offset_bits) - 1), width = control >> 16 & 0x7f;
  if (width == 0)
    return 0;
  if (width + offset >= total)
    return x >> offset;
  return (int64_t)((uint64_t)x << (64 - width - offset)) >> (64 - width);
}

BINARY32(s_add_u32, a + b, (uint64_t)a + b > UINT32_MAX)
BINARY32(s_sub_u32, a - b, a < b)
BINARY32(s_add_i32, a + b, add_overflows(a, b))
BINARY32(s_sub_i32, a - b, sub_overflows(a, b))
BINARY32(s_addc_u32, a + b + w->scc, (uint64_t)a + b + w->scc > UINT32_MAX)
BINARY32(s_subb_u32, a - b - w->scc, (uint64_t)b + w->scc > a)
BINARY32(s_min_i32, (int32_t)a < (int32_t)b ? a : b, (int32_t)a < (int32_t)b)
BINARY32(s_min_u32, a < b ? a : b, a < b)
BINARY32(s_max_i32, (int32_t)a > (int32_t)b ? a : b, (int32_t)a >= (int32_t)b)
BINARY32(s_max_u32, a > b ? a : b, a >= b)
BINARY32(s_cselect_b32, w->scc ? a : b, KEEP)
BINARY64(s_cselect_b64, w->scc ? a : b, KEEP)
BINARY32(s_and_b32, a &b, NONZERO)
BINARY64(s_and_b64, a &b, NONZERO)
BINARY32(s_or_b32, a | b, NONZERO)
BINARY64(s_or_b64, a | b, NONZERO)
BINARY32(s_xor_b32, a ^ b, NONZERO)
BINARY64(s_xor_b64, a ^ b, NONZERO)
BINARY32(s_andn2_b32, a & ~b, NONZERO)
BINARY64(s_andn2_b64, a & ~b, NONZERO)
BINARY32(s_orn2_b32, a | ~b, NONZERO)
BINARY64(s_orn2_b64, a | ~b, NONZERO)
BINARY32(s_nand_b32, ~(a &b), NONZERO)
BINARY64(s_nand_b64, ~(a &b), NONZERO)
BINARY32(s_nor_b32, ~(a | b), NONZERO)
BINARY64(s_nor_b64, ~(a | b), NONZERO)
BINARY32(s_xnor_b32, ~(a ^ b), NONZERO)
BINARY64(s_xnor_b64, ~(a ^ b), NONZERO)
BINARY32(s_lshl_b32, a << (b & 31), NONZERO)
SHIFT64(s_lshl_b64, a << (b & 63), NONZERO)
BINARY32(s_lshr_b32, a >> (b & 31), NONZERO)
SHIFT64(s_lshr_b64, a >> (b & 63), NONZERO)
BINARY32(s_ashr_i32, (int32_t)a >> (b & 31), NONZERO)
SHIFT64(s_ashr_i64, (int64_t)a >> (b & 63), NONZERO)
BINARY32(s_bfm_b32, ((1u << (a & 31)) - 1) << (b & 31), KEEP)
BINARY32(s_mul_i32, a *b, KEEP)
BINARY32(s_bfe_u32, field(a, b, 5), NONZERO)
BINARY32(s_bfe_i32, signed_field((int32_t)a, b, 5, 32), NONZERO)
SHIFT64(s_bfe_u64, field(a, b, 6), NONZERO)
SHIFT64(s_bfe_i64, signed_field((int64_t)a, b, 6, 64), NONZERO)
BINARY32(s_absdiff_i32, (int32_t)(a - b) < 0 ? b - a : a - b, NONZERO)
BINARY32(s_mul_hi_u32, (uint64_t)a *b >> 32, KEEP)
BINARY32(s_mul_hi_i32, (int64_t)(int32_t)a *(int32_t)b >> 32, KEEP)
BINARY32(s_lshl1_add_u32, (a << 1) + b, ((uint64_t)a << 1) + b > UINT32_MAX)
BINARY32(s_lshl2_add_u32, (a << 2) + b, ((uint64_t)a << 2) + b > UINT32_MAX)
BINARY32(s_lshl3_add_u32, (a << 3) + b, ((uint64_t)a << 3) + b > UINT32_MAX)
BINARY32(s_lshl4_add_u32, (a << 4) + b, ((uint64_t)a << 4) + b > UINT32_MAX)
BINARY32(s_pack_ll_b32_b16, (a & 0xffff) | b << 16, KEEP)
BINARY32(s_pack_lh_b32_b16, (a & 0xffff) | (b & 0xffff0000), KEEP)
BINARY32(s_pack_hh_b32_b16, a >> 16 | (b & 0xffff0000), KEEP)

SIM_DO(s_bfm_b64) {
  uint32_t a = sim_s32(w, inst, 0), b = sim_s32(w, inst, 1);
  WRITE64(((UINT64_C(1) << (a & 63)) - 1) << (b & 63));
}

/* ---- SOPC ---- */

#define COMPARE(name, type, read, expression)                                                                \
  SIM_DO(name) {                                                                                             \
    type a = (type)read(w, inst, 0), b = (type)read(w, inst, 1);                                             \
    w->scc = (expression);                                                                                   \
  }
COMPARE(s_cmp_eq_i32, int32_t, sim_s32, a == b)
COMPARE(s_cmp_lg_i32, int32_t, sim_s32, a != b)
COMPARE(s_cmp_gt_i32, int32_t, sim_s32, a > b)
COMPARE(s_cmp_ge_i32, int32_t, sim_s32, a >= b)
COMPARE(s_cmp_lt_i32, int32_t, sim_s32, a < b)
COMPARE(s_cmp_le_i32, int32_t, sim_s32, a <= b)
COMPARE(s_cmp_eq_u32, uint32_t, sim_s32, a == b)
COMPARE(s_cmp_lg_u32, uint32_t, sim_s32, a != b)
COMPARE(s_cmp_gt_u32, uint32_t, sim_s32, a > b)
COMPARE(s_cmp_ge_u32, uint32_t, sim_s32, a >= b)
COMPARE(s_cmp_lt_u32, uint32_t, sim_s32, a < b)
COMPARE(s_cmp_le_u32, uint32_t, sim_s32, a <= b)
COMPARE(s_cmp_eq_u64, uint64_t, sim_s64, a == b)
COMPARE(s_cmp_lg_u64, uint64_t, sim_s64, a != b)

SIM_DO(s_bitcmp0_b32) {
  w->scc = !(sim_s32(w, inst, 0) >> (sim_s32(w, inst, 1) & 31) & 1);
}

SIM_DO(s_bitcmp1_b32) {
  w->scc = sim_s32(w, inst, 0) >> (sim_s32(w, inst, 1) & 31) & 1;
}

SIM_DO(s_bitcmp0_b64) {
  w->scc = !(sim_s64(w, inst, 0) >> (sim_s32(w, inst, 1) & 63) & 1);
}

SIM_DO(s_bitcmp1_b64) {
  w->scc = (uint32_t)(sim_s64(w, inst, 0) >> (sim_s32(w, inst, 1) & 63) & 1);
}

/* ---- SOPK ---- */

SIM_DO(s_movk_i32) {
  WRITE32(inst->imm);
}

SIM_DO(s_cmovk_i32) {
  if (w->scc)
    WRITE32(inst->imm);
}

#define COMPARE_K(name, type, constant, expression)                                                          \
  SIM_DO(name) {                                                                                             \
    type a = (type)w->s[inst->src[0]], b = (type)(constant);                                                 \
    w->scc = (expression);                                                                                   \
  }
COMPARE_K(s_cmpk_eq_i32, int32_t, inst->imm, a == b)
COMPARE_K(s_cmpk_lg_i32, int32_t, inst->imm, a != b)
COMPARE_K(s_cmpk_gt_i32, int32_t, inst->imm, a > b)
COMPARE_K(s_cmpk_ge_i32, int32_t, inst->imm, a >= b)
COMPARE_K(s_cmpk_lt_i32, int32_t, inst->imm, a < b)
COMPARE_K(s_cmpk_le_i32, int32_t, inst->imm, a <= b)
COMPARE_K(s_cmpk_eq_u32, uint32_t, inst->imm & 0xffff, a == b)
COMPARE_K(s_cmpk_lg_u32, uint32_t, inst->imm & 0xffff, a != b)
COMPARE_K(s_cmpk_gt_u32, uint32_t, inst->imm & 0xffff, a > b)
COMPARE_K(s_cmpk_ge_u32, uint32_t, inst->imm & 0xffff, a >= b)
COMPARE_K(s_cmpk_lt_u32, uint32_t, inst->imm & 0xffff, a < b)
COMPARE_K(s_cmpk_le_u32, uint32_t, inst->imm & 0xffff, a <= b)

SIM_DO(s_addk_i32) {
  uint32_t a = w->s[inst->dst], b = (uint32_t)inst->imm;
  w->scc = add_overflows(a, b);
  WRITE32(a + b);
}

SIM_DO(s_mulk_i32) {
  WRITE32(w->s[inst->dst] * (uint32_t)inst->imm);
}

SIM_DO(s_call_b64) {
  WRITE64(w->pc);
  w->pc += (uint64_t)(int64_t)inst->imm;
}

/* ---- hardware registers ---- */

/* The immediate: register id in bits 5..0, offset in 10..6, width - 1 in 15..11. */
SIM_DO(s_getreg_b32) {
  uint32_t control = (uint32_t)inst->imm & 0xffff;
  unsigned offset = control >> 6 & 31, width = (control >> 11) + 1;
  uint64_t mask = (UINT64_C(1) << width) - 1;
  WRITE32((uint32_t)(sim_hwreg_read(w, control & 63) >> offset) & mask);
}

static void write_hwreg(struct sim_wave *w, uint32_t control, uint32_t value) {
  unsigned offset = control >> 6 & 31, width = (control >> 11) + 1;
  uint32_t mask = (uint32_t)(((UINT64_C(1) << width) - 1) << offset);
  sim_hwreg_write(w, control & 63, mask, value << offset);
}

SIM_DO(s_setreg_b32) {
  write_hwreg(w, (uint32_t)inst->imm & 0xffff, w->s[inst->src[0]]);
}

SIM_DO(s_setreg_imm32_b32) {
  write_hwreg(w, (uint32_t)inst->imm & 0xffff, inst->literal);
}

/* ---- SOPP ---- */

#define BRANCH(name, condition)                                                                              \
  SIM_DO(name) {                                                                                             \
    if (condition)                                                                                           \
      w->pc += (uint64_t)(int64_t)inst->imm;                                                                 \
  }
BRANCH(s_branch, true)
BRANCH(s_cbranch_scc0, w->scc == 0)
BRANCH(s_cbranch_scc1, w->scc != 0)
BRANCH(s_cbranch_vccz, sim_read_s64(w, SIM_VCC_LO) == 0)
BRANCH(s_cbranch_vccnz, sim_read_s64(w, SIM_VCC_LO) != 0)
BRANCH(s_cbranch_execz, sim_exec(w) == 0)
BRANCH(s_cbranch_execnz, sim_exec(w) != 0)

/* Hints, waits and messages: waves run in order and memory is coherent here. */
#define NOTHING(name)                                                                                        \
  SIM_DO(name) {                                                                                             \
    (void)w;                                                                                                 \
    (void)inst;                                                                                              \
  }
NOTHING(s_nop)
NOTHING(s_waitcnt)
NOTHING(s_sleep)
NOTHING(s_setprio)
NOTHING(s_sendmsg)
NOTHING(s_wakeup)
NOTHING(s_icache_inv)
NOTHING(s_incperflevel)
NOTHING(s_decperflevel)
NOTHING(s_ttracedata)

SIM_DO(s_barrier) {
  (void)inst;
  w->state = SIM_AT_BARRIER;
}

SIM_DO(s_endpgm) {
  (void)inst;
  w->state = SIM_ENDED;
}

SIM_DO(s_endpgm_saved) {
  (void)inst;
  w->state = SIM_ENDED;
}

SIM_DO(s_sethalt) {
  if (inst->imm & 1)
    sim_wave_fault(w, -1, "s_sethalt stops the wave for good");
}

/* LLVM AMDGPUUsage, "Trap Handler ABI". No trap comes back here: the handler of ROCm ends the wave, but for 3, which it
 * ignores when no debugger is there. */
SIM_DO(s_trap) {
  enum { ABORT = 2, DEBUG = 3 };
  unsigned number = (unsigned)inst->imm & 0xff;
  sim_wave_fault(w, -1, "the kernel %s (s_trap %u)",
                 number == ABORT   ? "gave up: __builtin_trap or a failed assert"
                 : number == DEBUG ? "calls a debugger, which is not there: __builtin_debugtrap"
                                   : "calls a trap handler, which is not there",
                 number);
}

/* ---- quads ---- */

/* Of each four bits, whether one is set: all four of them, or packed together. */
static uint64_t whole_quads(uint64_t x) {
  uint64_t any = (x | x >> 1 | x >> 2 | x >> 3) & UINT64_C(0x1111111111111111);
  return any * 15u;
}

static uint64_t quad_mask(uint64_t x) {
  uint64_t any = whole_quads(x), mask = 0;
  for (unsigned i = 0; i < 16; i++)
    mask |= (any >> 4 * i & 1u) << i;
  return mask;
}

SIM_DO(s_wqm_b32) {
  uint32_t d = (uint32_t)whole_quads(sim_s32(w, inst, 0));
  w->scc = d != 0;
  WRITE32(d);
}

SIM_DO(s_wqm_b64) {
  uint64_t d = whole_quads(sim_s64(w, inst, 0));
  w->scc = d != 0;
  WRITE64(d);
}

SIM_DO(s_quadmask_b32) {
  uint32_t d = (uint32_t)quad_mask(sim_s32(w, inst, 0));
  w->scc = d != 0;
  WRITE32(d);
}

SIM_DO(s_quadmask_b64) {
  uint64_t d = quad_mask(sim_s64(w, inst, 0));
  w->scc = d != 0;
  WRITE64(d);
}

/* Each bit twice. */
SIM_DO(s_bitreplicate_b64_b32) {
  uint64_t a = sim_s32(w, inst, 0), d = 0;
  for (unsigned i = 0; i < 32; i++)
    d |= (a >> i & 1u) * 3u << 2 * i;
  WRITE64(d);
}

/* ---- scalar registers by number ---- */

/* Register `first` + M0, or -1 with a report when there are no such `dwords` SGPRs. */
static int moved_register(struct sim_wave *w, unsigned first, unsigned dwords) {
  uint64_t index = (uint64_t)first + w->s[SIM_M0];
  if (first < SIM_FLAT_SCRATCH_LO && index + dwords <= SIM_FLAT_SCRATCH_LO)
    return (int)index;
  sim_wave_fault(w, -1, "the register index %u leads past s101", w->s[SIM_M0]);
  return -1;
}

SIM_DO(s_movrels_b32) {
  int from = moved_register(w, inst->src[0], 1);
  if (from >= 0)
    WRITE32(w->s[from]);
}

SIM_DO(s_movrels_b64) {
  int from = moved_register(w, inst->src[0], 2);
  if (from >= 0)
    WRITE64(sim_read_s64(w, (unsigned)from));
}

SIM_DO(s_movreld_b32) {
  int to = moved_register(w, inst->dst, 1);
  if (to >= 0)
    w->s[to] = sim_s32(w, inst, 0);
}

SIM_DO(s_movreld_b64) {
  int to = moved_register(w, inst->dst, 2);
  if (to >= 0)
    sim_write_s64(w, (unsigned)to, sim_s64(w, inst, 0));
}

/* ---- indexed registers ---- */

/* The instruction with the index added to the VGPRs it names; false when that leaves the register file. */
static bool add_index(const struct sim_wave *w, struct sim_inst *inst) {
  unsigned index = w->s[SIM_M0] & 0xff, enabled = w->s[SIM_M0] >> 12 & 15;
  uint16_t *const operand[] = {&inst->src[0], &inst->src[1], &inst->src[2], &inst->dst};
  if (sim_class_of[inst->op] != SIM_CLASS_VALU)
    return true;
  for (unsigned i = 0; i < 4; i++) {
    if (!(enabled >> i & 1) || *operand[i] < SIM_VGPR0 || *operand[i] >= SIM_AGPR0)
      continue;
    *operand[i] = (uint16_t)(*operand[i] + index);
    if (*operand[i] >= SIM_AGPR0)
      return false;
  }
  return sim_registers_of(inst).fits;
}

/* Instructions between s_set_gpr_idx_on and _off run from here, so that no other handler need look at MODE. */
static void run_indexed(struct sim_wave *w) {
  enum { LIMIT = 4096 }; /* compilers put a handful of instructions there */
  w->mode |= SIM_MODE_GPR_IDX;
  for (unsigned n = 0; n < LIMIT && w->state == SIM_RUNNING && (w->mode & SIM_MODE_GPR_IDX); n++) {
    uint64_t offset = w->pc - w->code->base;
    if (offset % 4 != 0 || offset >= w->code->size)
      break; /* the run loop reports it */
    const struct sim_inst *next = &w->code->at[offset / 4];
    struct sim_inst indexed = *next;
    w->now = next;
    w->pc += next->next;
    w->hits[next->op]++;
    if (!add_index(w, &indexed))
      sim_wave_fault(w, -1, "the register index %u leads past v255", w->s[SIM_M0] & 0xff);
    else if (w->check)
      sim_check_run_one(w, &indexed);
    else
      next->run(w, &indexed);
  }
  if (w->mode & SIM_MODE_GPR_IDX && w->state == SIM_RUNNING)
    sim_wave_fault(w, -1, "register indexing was not switched off within %d instructions", LIMIT);
}

SIM_DO(s_set_gpr_idx_on) {
  w->s[SIM_M0] =
      (w->s[SIM_M0] & 0xffff0f00) | (sim_s32(w, inst, 0) & 0xff) | ((uint32_t)inst->imm & 15) << 12;
  if (!(w->mode & SIM_MODE_GPR_IDX))
    run_indexed(w);
}

SIM_DO(s_set_gpr_idx_mode) {
  w->s[SIM_M0] = (w->s[SIM_M0] & 0xffff0fff) | ((uint32_t)inst->imm & 15) << 12;
}

SIM_DO(s_set_gpr_idx_idx) {
  w->s[SIM_M0] = (w->s[SIM_M0] & 0xffffff00) | (sim_s32(w, inst, 0) & 0xff);
}

SIM_DO(s_set_gpr_idx_off) {
  (void)inst;
  w->mode &= ~(uint32_t)SIM_MODE_GPR_IDX;
}
