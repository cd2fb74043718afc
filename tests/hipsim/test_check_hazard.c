/* Wait states that hardware does not insert: for each rule and architecture a program with one too few, which is
 * reported, and the same with just enough, which is not. A row is two instructions and the wait states between them,
 * from AMD's ISA guides ("Manually inserted wait states", "Required independent instructions") and, for numbers by
 * passes and for gfx950, LLVM's GCNHazardRecognizer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "rig.h"

enum {
  ZERO = SIM_INLINE_INT_0,
  FACTOR_A = V(2), /* four registers each: the widest factors of gfx950 */
  FACTOR_B = V(6),
  RESULT = 16, /* V(16), or A(16) on gfx908: up to 32 registers */
  SUM = 64,    /* V(64) or A(64): a C that is no D */
  OTHER = V(100),
  NEVER = -1, /* the architecture has no such instruction */
};

static void add(struct rig *rig, enum sim_op op, unsigned dst, unsigned a, unsigned b, unsigned c) {
  rig_add(rig, op, rig_inst(dst, a, b, c));
}

static void add_imm(struct rig *rig, enum sim_op op, unsigned dst, unsigned a, int imm) {
  struct sim_inst inst = rig_inst(dst, a, NONE, NONE);
  inst.imm = imm;
  rig_add(rig, op, inst);
}

static void add_sdst(struct rig *rig, enum sim_op op, unsigned sdst, unsigned a, unsigned b) {
  struct sim_inst inst = rig_inst(NONE, a, b, NONE);
  inst.sdst = (uint16_t)sdst;
  rig_add(rig, op, inst);
}

static void add_dpp(struct rig *rig, enum sim_op op, unsigned dst, unsigned a, unsigned b) {
  struct sim_inst inst = rig_inst(dst, a, b, NONE);
  inst.lane_ctl = 0xff000000u | 0x121u << 8; /* row_ror:1, all rows and banks */
  inst.flags = SIM_F_DPP | SIM_F_SOURCE | SIM_F_RESULT;
  rig_add(rig, op, inst);
}

/* ---- matrix instructions by passes ---- */

/* 2, 4, 8 and 16 passes. Before gfx942 there are none of 4. */
static enum sim_op xdl_of(enum sim_arch arch, unsigned passes) {
  if (arch >= SIM_GFX942) {
    return passes == 2   ? SIM_OP_v_mfma_f32_4x4x4_16b_f16
           : passes == 4 ? SIM_OP_v_mfma_f32_16x16x16_f16
           : passes == 8 ? SIM_OP_v_mfma_f32_32x32x8_f16
                         : SIM_OP_v_mfma_f32_32x32x4_2b_f16;
  }
  return passes == 2   ? SIM_OP_v_mfma_f32_4x4x4f16
         : passes == 8 ? SIM_OP_v_mfma_f32_16x16x16f16
                       : SIM_OP_v_mfma_f32_32x32x8f16;
}

/* f32 products, which are no XDL on gfx942 and later. */
static enum sim_op sgemm_of(enum sim_arch arch, unsigned passes) {
  if (arch >= SIM_GFX942) {
    return passes == 2   ? SIM_OP_v_mfma_f32_4x4x1_16b_f32
           : passes == 8 ? SIM_OP_v_mfma_f32_16x16x4_f32
                         : SIM_OP_v_mfma_f32_32x32x2_f32;
  }
  return passes == 2   ? SIM_OP_v_mfma_f32_4x4x1f32
         : passes == 8 ? SIM_OP_v_mfma_f32_16x16x4f32
                       : SIM_OP_v_mfma_f32_32x32x2f32;
}

static enum sim_op f64_of(enum sim_arch arch, bool large) {
  if (arch >= SIM_GFX942) {
    return large ? SIM_OP_v_mfma_f64_16x16x4_f64 : SIM_OP_v_mfma_f64_4x4x4_4b_f64;
  }
  return large ? SIM_OP_v_mfma_f64_16x16x4f64 : SIM_OP_v_mfma_f64_4x4x4f64;
}

/* Register n of the file that holds results and sums. */
static unsigned acc(enum sim_arch arch, unsigned n) {
  return arch == SIM_GFX908 ? A(n) : V(n);
}

/* ---- instructions of the rows ---- */

#define STEP(name, ...)                                                                                      \
  static void name(struct rig *rig, enum sim_arch arch) {                                                    \
    (void)arch;                                                                                              \
    __VA_ARGS__;                                                                                             \
  }
/* A matrix instruction as: producer; user of the result as factor, as the same C, as a C that overlaps (beginning at `begin`); reader of a C
 * apart from its D; user whose result is elsewhere. */
#define MATRIX(name, op, begin)                                                                              \
  STEP(name, add(rig, op, acc(arch, RESULT), FACTOR_A, FACTOR_B, ZERO))                                      \
  STEP(name##_factor, add(rig, op, acc(arch, SUM), acc(arch, RESULT), FACTOR_B, ZERO))                       \
  STEP(name##_same, add(rig, op, acc(arch, RESULT), FACTOR_A, FACTOR_B, acc(arch, RESULT)))                  \
  STEP(name##_overlap, add(rig, op, acc(arch, SUM), FACTOR_A, FACTOR_B, acc(arch, begin)))                   \
  STEP(name##_sums, add(rig, op, acc(arch, RESULT), FACTOR_A, FACTOR_B, acc(arch, SUM)))
MATRIX(xdl2, xdl_of(arch, 2), RESULT - 2)
MATRIX(xdl4, xdl_of(arch, 4), RESULT - 2)
MATRIX(xdl8, xdl_of(arch, 8), RESULT - 2)
MATRIX(xdl16, xdl_of(arch, 16), RESULT - 2)
MATRIX(sgemm2, sgemm_of(arch, 2), RESULT - 2)
MATRIX(sgemm8, sgemm_of(arch, 8), RESULT - 2)
MATRIX(sgemm16, sgemm_of(arch, 16), RESULT - 2)
MATRIX(f64_small, f64_of(arch, false), RESULT + 2)
MATRIX(f64_large, f64_of(arch, true), RESULT - 2)

/* ... of the first register of the result, or of the C */
STEP(store_result, add(rig, SIM_OP_global_store_dword, NONE, V(1), V(RESULT), SIM_SGPR0))
STEP(read_result, add(rig, SIM_OP_v_mov_b32, OTHER, V(RESULT), NONE, NONE))
STEP(write_result, add(rig, SIM_OP_v_mov_b32, V(RESULT), ZERO, NONE, NONE))
STEP(write_sum, add(rig, SIM_OP_v_mov_b32, V(SUM), ZERO, NONE, NONE))
STEP(acc_read, add(rig, SIM_OP_v_accvgpr_read_b32, OTHER, A(RESULT), NONE, NONE))
STEP(acc_write, add(rig, SIM_OP_v_accvgpr_write_b32, A(RESULT), ZERO, NONE, NONE))
STEP(acc_write_sum, add(rig, SIM_OP_v_accvgpr_write_b32, A(SUM), ZERO, NONE, NONE))
STEP(acc_read_to_v, add(rig, SIM_OP_v_accvgpr_read_b32, V(RESULT), A(1), NONE, NONE))
STEP(acc_write_from_v, add(rig, SIM_OP_v_accvgpr_write_b32, A(1), V(RESULT), NONE, NONE))
STEP(acc_write_zero, add(rig, SIM_OP_v_accvgpr_write_b32, A(1), ZERO, NONE, NONE))
STEP(xdl2_c_is_acc, add(rig, xdl_of(arch, 2), A(SUM), FACTOR_A, FACTOR_B, A(RESULT)))
STEP(xdl2_factor_is_v, add(rig, xdl_of(arch, 2), acc(arch, SUM), V(RESULT), FACTOR_B, ZERO))

/* the vector ALU */
STEP(valu, add(rig, SIM_OP_v_mov_b32, V(RESULT), ZERO, NONE, NONE))
STEP(valu_elsewhere, add(rig, SIM_OP_v_mov_b32, OTHER, ZERO, NONE, NONE))
STEP(dot, add(rig, SIM_OP_v_dot2_f32_f16, V(RESULT), FACTOR_A, FACTOR_B, ZERO))
STEP(dot_adds, add(rig, SIM_OP_v_dot2_f32_f16, V(RESULT), FACTOR_A, FACTOR_B, V(RESULT)))
STEP(dot_multiplies, add(rig, SIM_OP_v_dot2_f32_f16, OTHER, V(RESULT), FACTOR_B, ZERO))
STEP(other_dot_adds, add(rig, SIM_OP_v_dot4_i32_i8, OTHER, FACTOR_A, FACTOR_B, V(RESULT)))
STEP(dotc_adds, add(rig, SIM_OP_v_dot2c_f32_f16, V(RESULT), FACTOR_A, FACTOR_B, NONE))
STEP(trans, add(rig, SIM_OP_v_exp_f32, V(RESULT), FACTOR_A, NONE, NONE))
STEP(trans_reads, add(rig, SIM_OP_v_log_f32, OTHER, V(RESULT), NONE, NONE))

static void half_of(struct rig *rig, enum sim_arch arch) { /* v_mad_i16 of the high half */
  (void)arch;
  struct sim_inst inst = rig_inst(V(RESULT), FACTOR_A, FACTOR_B, ZERO);
  inst.op_sel = 8;
  inst.flags = SIM_F_SOURCE | SIM_F_RESULT;
  rig_add(rig, SIM_OP_v_mad_i16, inst);
}

static void half_by_sdwa(struct rig *rig, enum sim_arch arch) {
  (void)arch;
  struct sim_inst inst = rig_inst(V(RESULT), FACTOR_A, FACTOR_B, NONE);
  inst.lane_ctl = 4u << 8 | 6u << 16 | 6u << 24; /* dst_sel:WORD_0, whole sources */
  inst.flags = SIM_F_SDWA | SIM_F_SOURCE | SIM_F_RESULT;
  rig_add(rig, SIM_OP_v_add_u32, inst);
}

static void whole_by_sdwa(struct rig *rig, enum sim_arch arch) {
  (void)arch;
  struct sim_inst inst = rig_inst(V(RESULT), FACTOR_A, FACTOR_B, NONE);
  inst.lane_ctl = 6u << 8 | 4u << 16 | 6u << 24; /* dst_sel:DWORD, half of a source */
  inst.flags = SIM_F_SDWA | SIM_F_SOURCE | SIM_F_RESULT;
  rig_add(rig, SIM_OP_v_add_u32, inst);
}

STEP(first_lane, add(rig, SIM_OP_v_readfirstlane_b32, SIM_SGPR0 + 20, V(RESULT), NONE, NONE))
STEP(a_lane, add(rig, SIM_OP_v_readlane_b32, SIM_SGPR0 + 20, V(RESULT), ZERO, NONE))
STEP(lane_by_s8, add(rig, SIM_OP_v_readlane_b32, SIM_SGPR0 + 20, FACTOR_A, SIM_SGPR0 + 8, NONE))
STEP(write_lane, add(rig, SIM_OP_v_writelane_b32, FACTOR_A, ZERO, ZERO, NONE))
STEP(write_lane_by_s8, add(rig, SIM_OP_v_writelane_b32, FACTOR_A, ZERO, SIM_SGPR0 + 8, NONE))
STEP(dpp, add_dpp(rig, SIM_OP_v_mov_b32, OTHER, V(RESULT), NONE))
STEP(dpp_second, add_dpp(rig, SIM_OP_v_add_u32, OTHER, FACTOR_A, V(RESULT)))
STEP(dpp_elsewhere, add_dpp(rig, SIM_OP_v_mov_b32, OTHER, FACTOR_A, NONE))
STEP(fma_f64, add(rig, SIM_OP_v_fma_f64, OTHER, FACTOR_A, FACTOR_B, ZERO))
STEP(fmac_f64, add(rig, SIM_OP_v_fmac_f64, FACTOR_A, FACTOR_A, FACTOR_B, NONE))
STEP(add_f64, add(rig, SIM_OP_v_add_f64, OTHER, FACTOR_A, FACTOR_B, NONE))

/* scalar registers: s[8:9], VCC, EXEC, M0, hardware registers */
STEP(valu_s8, add(rig, SIM_OP_v_readfirstlane_b32, SIM_SGPR0 + 8, V(2), NONE, NONE))
STEP(salu_s8, add(rig, SIM_OP_s_mov_b32, SIM_SGPR0 + 8, ZERO, NONE, NONE))
STEP(use_s8, add(rig, SIM_OP_v_mov_b32, OTHER, SIM_SGPR0 + 8, NONE, NONE))
STEP(salu_use_s8, add(rig, SIM_OP_s_mov_b32, SIM_SGPR0 + 10, SIM_SGPR0 + 8, NONE, NONE))
STEP(valu_s0, add(rig, SIM_OP_v_readfirstlane_b32, SIM_SGPR0, V(10), NONE, NONE))
STEP(load_s0, add(rig, SIM_OP_global_load_dword, OTHER, V(1), NONE, SIM_SGPR0))
STEP(valu_vcc, add_sdst(rig, SIM_OP_v_cmp_eq_u32, SIM_VCC_LO, V(0), V(0)))
STEP(salu_vcc, add(rig, SIM_OP_s_mov_b64, SIM_VCC_LO, ZERO, NONE, NONE))
STEP(use_vcc, add(rig, SIM_OP_v_cndmask_b32, OTHER, FACTOR_A, FACTOR_B, SIM_VCC_LO))
STEP(use_vccz, add(rig, SIM_OP_v_mov_b32, OTHER, SIM_VCCZ, NONE, NONE))
STEP(div_fmas, add(rig, SIM_OP_v_div_fmas_f32, OTHER, FACTOR_A, FACTOR_B, FACTOR_A))
STEP(div_fmas_f64, add(rig, SIM_OP_v_div_fmas_f64, OTHER, FACTOR_A, FACTOR_B, FACTOR_A))
STEP(div_fmas_s8, add(rig, SIM_OP_v_div_fmas_f32, OTHER, SIM_SGPR0 + 8, FACTOR_B, FACTOR_A))
STEP(valu_exec, add_sdst(rig, SIM_OP_v_cmpx_eq_u32, SIM_VCC_LO, V(0), V(0)))
STEP(salu_exec, add(rig, SIM_OP_s_mov_b64, SIM_EXEC_LO, SIM_INLINE_INT_0 + 65, NONE, NONE))
STEP(use_exec, add(rig, SIM_OP_v_mov_b32, OTHER, SIM_EXEC_LO, NONE, NONE))
STEP(use_execz, add(rig, SIM_OP_v_mov_b32, OTHER, SIM_EXECZ, NONE, NONE))
STEP(set_m0, add(rig, SIM_OP_s_mov_b32, SIM_M0, ZERO, NONE, NONE))
STEP(movrel, add(rig, SIM_OP_s_movrels_b32, SIM_SGPR0 + 10, SIM_SGPR0 + 8, NONE, NONE))
STEP(movrel_to, add(rig, SIM_OP_s_movreld_b64, SIM_SGPR0 + 10, ZERO, NONE, NONE))
STEP(message, add_imm(rig, SIM_OP_s_sendmsg, NONE, NONE, 0))
STEP(trace, add_imm(rig, SIM_OP_s_ttracedata, NONE, NONE, 0))
STEP(add_id, add(rig, SIM_OP_ds_write_addtid_b32, NONE, NONE, FACTOR_A, NONE))
STEP(use_m0, add(rig, SIM_OP_s_mov_b32, SIM_SGPR0 + 10, SIM_M0, NONE, NONE))

static void load_to_lds(struct rig *rig, enum sim_arch arch) {
  (void)arch;
  struct sim_inst inst = rig_inst(NONE, V(1), NONE, SIM_SGPR0);
  inst.flags = SIM_F_LDS;
  rig_add(rig, SIM_OP_global_load_dword, inst);
}

enum { MODE_FP = 1 | 4 << 6 | 3 << 11, MODE_CLAMP = 1 | 8 << 6, STATUS = 2 | 31 << 11 };
STEP(setreg, add_imm(rig, SIM_OP_s_setreg_b32, NONE, SIM_SGPR0 + 8, MODE_FP))
STEP(setreg_again, add_imm(rig, SIM_OP_s_setreg_b32, NONE, SIM_SGPR0 + 8, MODE_FP))
STEP(setreg_imm, add_imm(rig, SIM_OP_s_setreg_imm32_b32, NONE, NONE, MODE_FP))
STEP(getreg, add_imm(rig, SIM_OP_s_getreg_b32, SIM_SGPR0 + 10, NONE, MODE_CLAMP))
STEP(getreg_status, add_imm(rig, SIM_OP_s_getreg_b32, SIM_SGPR0 + 10, NONE, STATUS))

/* stores of V(RESULT) and up */
#define STORE(name, op, data) STEP(name, add(rig, op, NONE, V(1), V(data), SIM_SGPR0))
STORE(store_x2, SIM_OP_global_store_dwordx2, RESULT)
STORE(store_x3, SIM_OP_global_store_dwordx3, RESULT)
STORE(store_x4, SIM_OP_global_store_dwordx4, RESULT)
STORE(swap, SIM_OP_global_atomic_cmpswap, RESULT)
STORE(swap_x2, SIM_OP_global_atomic_cmpswap_x2, RESULT)

static void buffer_store(struct rig *rig, unsigned soffset) {
  struct sim_inst inst = rig_inst(NONE, ZERO, V(RESULT), SIM_SGPR0 + 12);
  inst.soffset = (uint16_t)soffset;
  rig_add(rig, SIM_OP_buffer_store_dwordx4, inst);
}
STEP(buffer_x4, buffer_store(rig, ZERO))
STEP(buffer_x4_soffset, buffer_store(rig, SIM_SGPR0 + 8))

/* an instruction between writer and memory that keeps hardware from waiting */
STEP(valu_then_acc, valu(rig, arch), acc_write_zero(rig, arch))
STEP(valu_then_f64, valu(rig, arch), add(rig, f64_of(arch, false), V(SUM), FACTOR_A, FACTOR_B, ZERO))
STEP(valu_then_xdl, valu(rig, arch), add(rig, xdl_of(arch, 2), V(SUM), FACTOR_A, FACTOR_B, ZERO))

/* ---- the rules ---- */

typedef void step(struct rig *rig, enum sim_arch arch);

struct rule {
  const char *name;
  int need[SIM_ARCHS];
  step *producer, *user;
};

#define RULE(producer, user, a, b, c, d) {#producer ", " #user, {a, b, c, d}, producer, user},

static const struct rule matrix_results[] = {
    /* clang-format off */
    RULE(xdl2, store_result, NEVER, 5, 5, 5)
    RULE(xdl4, store_result, NEVER, NEVER, 7, 8)
    RULE(xdl8, store_result, NEVER, 11, 11, 12)
    RULE(xdl16, store_result, NEVER, 19, 19, 20)
    RULE(xdl2, read_result, NEVER, 5, 5, 5)
    RULE(xdl4, read_result, NEVER, NEVER, 7, 8)
    RULE(xdl8, read_result, NEVER, 11, 11, 12)
    RULE(xdl16, read_result, NEVER, 19, 19, 20)
    RULE(xdl2, write_result, NEVER, 5, 5, 5)
    RULE(xdl4, write_result, NEVER, NEVER, 7, 8)
    RULE(xdl8, write_result, NEVER, 11, 11, 12)
    RULE(xdl16, write_result, NEVER, 19, 19, 20)
    RULE(sgemm2, store_result, NEVER, 5, 4, 4)
    RULE(sgemm8, store_result, NEVER, 11, 10, 10)
    RULE(sgemm16, store_result, NEVER, 19, 18, 18)
    RULE(sgemm8, write_result, NEVER, 11, 10, 10)
    RULE(f64_small, store_result, NEVER, 9, 9, 9)
    RULE(f64_large, store_result, NEVER, 18, 18, 18)
    RULE(f64_small, read_result, NEVER, 6, 6, 6)
    RULE(f64_large, read_result, NEVER, 11, 11, 19)
    RULE(f64_small, write_result, NEVER, 6, 6, 6)
    RULE(f64_large, write_result, NEVER, 11, 11, 11)
    RULE(xdl2, acc_read, 4, NEVER, NEVER, NEVER)
    RULE(xdl8, acc_read, 10, NEVER, NEVER, NEVER)
    RULE(xdl16, acc_read, 18, NEVER, NEVER, NEVER)
    RULE(xdl2, acc_write, 1, NEVER, NEVER, NEVER)
    RULE(xdl8, acc_write, 7, NEVER, NEVER, NEVER)
    RULE(xdl16, acc_write, 15, NEVER, NEVER, NEVER)
    /* clang-format on */
};

static const struct rule matrix_to_matrix[] = {
    /* clang-format off */
    RULE(xdl2, xdl2_factor, 4, 5, 5, 5)
    RULE(xdl4, xdl2_factor, NEVER, NEVER, 7, 8)
    RULE(xdl8, xdl2_factor, 4, 11, 11, 12)
    RULE(xdl4, xdl4_factor, NEVER, NEVER, 7, 8)
    RULE(xdl8, xdl8_factor, 4, 11, 11, 12)
    RULE(xdl16, xdl16_factor, 4, 19, 19, 20)
    RULE(xdl16, f64_small_factor, NEVER, 19, 19, 20)
    RULE(sgemm2, sgemm2_factor, 4, 5, 4, 4)
    RULE(sgemm8, sgemm8_factor, 4, 11, 10, 10)
    RULE(sgemm16, sgemm16_factor, 4, 19, 18, 18)
    RULE(sgemm2, xdl2_factor, 4, 5, 4, 4)
    RULE(sgemm16, xdl2_factor, 4, 19, 18, 18)
    RULE(f64_small, xdl2_factor, NEVER, 6, 6, 6)
    RULE(f64_large, f64_large_factor, NEVER, 11, 11, 19)
    RULE(xdl2, xdl2_same, 0, 0, 2, 2)
    RULE(xdl4, xdl4_same, NEVER, NEVER, 0, 0)
    RULE(xdl8, xdl8_same, 0, 0, 0, 0)
    RULE(xdl16, xdl16_same, 0, 0, 0, 0)
    RULE(sgemm2, sgemm2_same, 0, 0, 2, 2)
    RULE(sgemm8, sgemm8_same, 0, 0, 0, 0)
    RULE(sgemm16, sgemm16_same, 0, 0, 0, 0)
    RULE(f64_small, f64_small_same, NEVER, 4, 4, 4)
    RULE(f64_large, f64_large_same, NEVER, 0, 0, 0)
    RULE(xdl2, xdl2_overlap, 2, 2, 3, 4)
    RULE(xdl4, xdl4_overlap, NEVER, NEVER, 5, 6)
    RULE(xdl8, xdl8_overlap, 2, 8, 9, 10)
    RULE(xdl16, xdl16_overlap, 2, 16, 17, 18)
    RULE(xdl2, sgemm2_overlap, 2, 2, 3, 3)
    RULE(xdl8, sgemm8_overlap, 2, 8, 9, 10)
    RULE(xdl8, f64_large_overlap, NEVER, 9, 9, 10)
    RULE(sgemm2, sgemm2_overlap, 2, 2, 2, 2)
    RULE(sgemm16, sgemm16_overlap, 2, 16, 16, 16)
    RULE(sgemm8, xdl8_overlap, 2, 8, 0, 0)
    RULE(f64_small, f64_large_overlap, NEVER, 4, 4, 4)
    RULE(f64_large, f64_large_overlap, NEVER, 9, 9, 17)
    RULE(f64_large, f64_small_overlap, NEVER, 9, 9, 17)
    RULE(xdl8, f64_small_overlap, NEVER, 9, 9, 10)
    RULE(f64_large, xdl8_overlap, NEVER, 0, 0, 0)
    RULE(f64_large, sgemm8_overlap, NEVER, 0, 9, 17)
    RULE(valu, xdl2_factor_is_v, 2, 2, 2, 2)
    RULE(dot, xdl2_factor_is_v, 2, 0, 0, 0)
    RULE(valu, xdl8_same, NEVER, 2, 2, 2)
    RULE(acc_write, xdl2_c_is_acc, 1, NEVER, NEVER, NEVER)
    RULE(acc_write, xdl2_factor, 3, NEVER, NEVER, NEVER)
    RULE(acc_read_to_v, xdl2_factor_is_v, 2, NEVER, NEVER, NEVER)
    RULE(acc_write, acc_read, 3, NEVER, NEVER, NEVER)
    RULE(acc_read_to_v, store_result, 2, NEVER, NEVER, NEVER)
    RULE(valu, acc_write_from_v, 2, 0, 0, 0)
    /* clang-format on */
};

static const struct rule overtaken_reads[] = {
    /* clang-format off */
    RULE(xdl2_sums, acc_write_sum, 0, NEVER, NEVER, NEVER)
    RULE(xdl8_sums, acc_write_sum, 5, NEVER, NEVER, NEVER)
    RULE(xdl16_sums, acc_write_sum, 13, NEVER, NEVER, NEVER)
    RULE(xdl2_sums, write_sum, NEVER, 1, 1, 1)
    RULE(xdl4_sums, write_sum, NEVER, NEVER, 3, 3)
    RULE(xdl8_sums, write_sum, NEVER, 7, 7, 7)
    RULE(xdl16_sums, write_sum, NEVER, 15, 15, 15)
    RULE(sgemm2_sums, write_sum, NEVER, 1, 0, 0)
    RULE(sgemm8_sums, write_sum, NEVER, 7, 0, 0)
    RULE(sgemm16_sums, write_sum, NEVER, 15, 0, 0)
    RULE(f64_small_sums, write_sum, NEVER, 0, 0, 0)
    RULE(f64_large_sums, write_sum, NEVER, 0, 0, 0)
    RULE(store_x2, write_result, 0, 0, 0, 0)
    RULE(store_x3, write_result, 1, 1, 2, 2)
    RULE(store_x4, write_result, 1, 1, 2, 2)
    RULE(swap, write_result, 0, 0, 0, 0)
    RULE(swap_x2, write_result, 1, 1, 2, 2)
    RULE(buffer_x4, write_result, 1, 1, 2, 2)
    RULE(buffer_x4_soffset, write_result, 0, 0, 0, 0)
    /* clang-format on */
};

static const struct rule vector_results[] = {
    /* clang-format off */
    RULE(valu, store_result, 0, 0, 0, 0)
    RULE(valu_then_acc, store_result, 1, 0, 0, 0)
    RULE(valu_then_f64, store_result, NEVER, 1, 0, 0)
    RULE(valu_then_xdl, store_result, NEVER, 0, 0, 0)
    RULE(f64_small, fma_f64, NEVER, 2, 2, 2)
    RULE(f64_large, fmac_f64, NEVER, 2, 2, 2)
    RULE(f64_small, add_f64, NEVER, 0, 0, 0)
    RULE(xdl2, fma_f64, NEVER, 0, 0, 0)
    RULE(dot, read_result, 0, 3, 3, 3)
    RULE(dot, write_result, 0, 3, 3, 3)
    RULE(dot, store_result, 0, 3, 3, 3)
    RULE(dot, dot_adds, 0, 0, 0, 0)
    RULE(dot, dot_multiplies, 0, 3, 3, 3)
    RULE(dot, other_dot_adds, 0, 3, 3, 3)
    RULE(dotc_adds, dotc_adds, 0, 0, 0, 0)
    RULE(trans, read_result, 0, 0, 1, 1)
    RULE(trans, trans_reads, 0, 0, 0, 0)
    RULE(half_of, read_result, 0, 0, 1, 1)
    RULE(half_by_sdwa, read_result, 0, 0, 1, 1)
    RULE(whole_by_sdwa, read_result, 0, 0, 0, 0)
    RULE(valu, first_lane, 0, 0, 1, 1)
    RULE(valu, a_lane, 0, 0, 1, 1)
    RULE(valu_elsewhere, a_lane, 0, 0, 0, 0)
    RULE(valu, dpp, 2, 2, 2, 2)
    RULE(valu, dpp_second, 2, 2, 2, 2)
    RULE(valu, dpp_elsewhere, 0, 0, 0, 0)
    /* clang-format on */
};

static const struct rule scalar_results[] = {
    /* clang-format off */
    RULE(valu_s0, load_s0, 5, 5, 5, 5)
    RULE(salu_s8, load_s0, 0, 0, 0, 0)
    RULE(valu_s8, use_s8, 0, 0, 2, 2)
    RULE(salu_s8, use_s8, 0, 0, 0, 0)
    RULE(valu_s8, salu_use_s8, 0, 0, 0, 0)
    RULE(valu_s8, lane_by_s8, 4, 4, 4, 4)
    RULE(valu_s8, write_lane_by_s8, 4, 4, 4, 4)
    RULE(salu_s8, lane_by_s8, 0, 0, 0, 0)
    RULE(valu_vcc, div_fmas, 4, 4, 4, 4)
    RULE(valu_vcc, div_fmas_f64, 4, 4, 4, 4)
    RULE(salu_vcc, div_fmas, 0, 0, 0, 0)
    RULE(valu_s8, div_fmas_s8, 0, 0, 2, 2)
    RULE(valu_vcc, use_vcc, 0, 0, 2, 2)
    RULE(valu_vcc, use_vccz, 5, 5, 5, 5)
    RULE(salu_vcc, use_vccz, 0, 0, 0, 0)
    RULE(valu_exec, use_execz, 5, 5, 5, 5)
    RULE(valu_exec, use_exec, 0, 0, 2, 2)
    RULE(valu_exec, valu, 0, 0, 0, 0)
    RULE(valu_exec, dpp_elsewhere, 5, 5, 5, 5)
    RULE(salu_exec, dpp_elsewhere, 0, 0, 0, 0)
    RULE(valu_exec, xdl2, 4, 4, 4, 4)
    RULE(salu_exec, xdl2, 0, 0, 0, 0)
    RULE(valu_exec, acc_write, 4, 0, 0, 0)
    RULE(valu_exec, first_lane, 0, 0, 4, 4)
    RULE(valu_exec, a_lane, 0, 0, 4, 4)
    RULE(valu_exec, write_lane, 0, 0, 4, 4)
    RULE(set_m0, movrel, 1, 1, 1, 1)
    RULE(set_m0, movrel_to, 1, 1, 1, 1)
    RULE(set_m0, message, 1, 1, 1, 1)
    RULE(set_m0, trace, 1, 1, 1, 1)
    RULE(set_m0, add_id, 1, 1, 1, 1)
    RULE(set_m0, load_to_lds, 1, 1, 1, 1)
    RULE(set_m0, use_m0, 0, 0, 0, 0)
    RULE(set_m0, load_s0, 0, 0, 0, 0)
    RULE(setreg, getreg, 2, 2, 2, 2)
    RULE(setreg, setreg_again, 2, 2, 2, 2)
    RULE(setreg_imm, getreg, 2, 2, 2, 2)
    RULE(setreg, getreg_status, 0, 0, 0, 0)
    /* clang-format on */
};

/* ---- running them ---- */

static void add_nops(struct rig *rig, unsigned states) {
  for (; states > 0; states -= states < 16 ? states : 16) {
    add_imm(rig, SIM_OP_s_nop, NONE, NONE, (int)(states < 16 ? states : 16) - 1);
  }
}

/* Registers that the instructions read, with values that do no harm: v1 is 4 * item, v10 the low half of the output's
 * address, s8 zero, s[12:15] a resource without a byte. */
static void prepare(struct rig *rig, enum sim_arch arch) {
  rig_open(rig, 64, 256);
  rig->dispatch.lenient = false;
  rig->dispatch.arch = arch;
  rig->code.arch = arch;
  for (unsigned i = 2; i < 10; i++) {
    add(rig, SIM_OP_v_mov_b32, V(i), ZERO, NONE, NONE);
  }
  for (unsigned i = 0; i < 4; i++) {
    add(rig, SIM_OP_v_mov_b32, V(RESULT + i), ZERO, NONE, NONE);
  }
  add(rig, SIM_OP_v_mov_b32, V(10), SIM_SGPR0, NONE, NONE);
  add(rig, SIM_OP_v_lshlrev_b32, V(1), SIM_INLINE_INT_0 + 4, V(0), NONE);
  add(rig, SIM_OP_s_mov_b64, SIM_SGPR0 + 8, ZERO, NONE, NONE);
  add(rig, SIM_OP_s_mov_b64, SIM_SGPR0 + 12, ZERO, NONE, NONE);
  add(rig, SIM_OP_s_mov_b64, SIM_SGPR0 + 14, ZERO, NONE, NONE);
  add(rig, SIM_OP_s_mov_b64, SIM_VCC_LO, ZERO, NONE, NONE);
  add(rig, SIM_OP_s_mov_b32, SIM_M0, ZERO, NONE, NONE);
  add(rig, SIM_OP_v_accvgpr_write_b32, A(1), ZERO, NONE, NONE);
  add_nops(rig, 20);
}

static bool is_reported(const struct rule *rule, enum sim_arch arch, unsigned states) {
  struct rig rig;
  prepare(&rig, arch);
  rule->producer(&rig, arch);
  add_nops(&rig, states);
  rule->user(&rig, arch);
  bool failed = rig_run(&rig) != 0;
  bool reported = failed && strstr(rig.fault.text, "hardware needs") != NULL;
  if (failed != reported) {
    fail_msg("%s: %s", rule->name, rig.fault.text);
  }
  rig_close(&rig);
  return reported;
}

static void check_rules(const struct rule *rules, size_t count) {
  for (size_t i = 0; i < count; i++) {
    for (unsigned arch = 0; arch < SIM_ARCHS; arch++) {
      int need = rules[i].need[arch];
      if (need == NEVER) {
        continue;
      }
      if (is_reported(&rules[i], arch, (unsigned)need)) {
        fail_msg("%s: reported after %d wait states on architecture %u", rules[i].name, need, arch);
      }
      if (need > 0 && !is_reported(&rules[i], arch, (unsigned)need - 1)) {
        fail_msg("%s: not reported after %d wait states on architecture %u", rules[i].name, need - 1, arch);
      }
    }
  }
}

#define TEST(rules)                                                                                          \
  static void test_##rules(void **state) {                                                                   \
    (void)state;                                                                                             \
    check_rules(rules, sizeof rules / sizeof rules[0]);                                                      \
  }
TEST(matrix_results)
TEST(matrix_to_matrix)
TEST(overtaken_reads)
TEST(vector_results)
TEST(scalar_results)

/* The report names register, writer and both numbers. */
static void report_tells_all(void **state) {
  (void)state;
  struct rig rig;
  prepare(&rig, SIM_GFX90A);
  xdl2(&rig, SIM_GFX90A);
  add_nops(&rig, 1);
  store_result(&rig, SIM_GFX90A);
  assert_int_equal(rig_run(&rig), -1);
  const char *text =
      "v16 is used after `v_mfma_f32_4x4x4f16 v[16:19], v[2:3], v[6:7], 0` wrote it, 1 wait state "
      "later, but hardware needs 5 and does not insert them (s_nop is missing), in "
      "`global_store_dword v1, v16, s[0:1]`";
  assert_non_null(strstr(rig.fault.text, text));
  rig_close(&rig);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_matrix_results),  cmocka_unit_test(test_matrix_to_matrix),
      cmocka_unit_test(test_overtaken_reads), cmocka_unit_test(test_vector_results),
      cmocka_unit_test(test_scalar_results),  cmocka_unit_test(report_tells_all),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
