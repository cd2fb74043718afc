/* What must run: every instruction that compiled convolution kernels of this project's and of Composable Kernel's kind
 * contain, at any optimisation, on each arch whose assembler knows it; the dense MFMA forms of f32, xf32, f16, bf16 and f64; and
 * every row of the table but those listed here as decoded only. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "bench/hipsim/sim_table.h"

/* Static instruction counts of 300 code objects (gfx90a, gfx942, gfx950; clang 15 and 21) named these. */
static const char *const compiled[] = {
    "buffer_inv",
    "buffer_invl2",
    "buffer_load_dword",
    "buffer_load_dwordx4",
    "buffer_store_dword",
    "buffer_store_dwordx4",
    "buffer_store_short",
    "buffer_wbinvl1_vol",
    "buffer_wbl2",
    "ds_read2_b64",
    "ds_read_b128",
    "ds_read_b32",
    "ds_write_b128",
    "ds_write_b16",
    "ds_write_b16_d16_hi",
    "ds_write_b32",
    "flat_load_dword",
    "flat_load_dwordx2",
    "flat_load_dwordx4",
    "flat_load_ubyte",
    "flat_store_byte",
    "flat_store_dword",
    "flat_store_dwordx2",
    "flat_store_dwordx4",
    "flat_store_short",
    "global_atomic_add_f32",
    "global_atomic_add_x2",
    "global_atomic_cmpswap",
    "global_atomic_cmpswap_x2",
    "global_load_dword",
    "global_load_dwordx2",
    "global_load_dwordx4",
    "global_load_lds_dword",
    "global_store_dword",
    "global_store_dwordx2",
    "global_store_dwordx4",
    "s_abs_i32",
    "s_add_i32",
    "s_add_u32",
    "s_addc_u32",
    "s_and_b64",
    "s_and_saveexec_b64",
    "s_andn2_b32",
    "s_andn2_b64",
    "s_andn2_saveexec_b64",
    "s_ashr_i32",
    "s_barrier",
    "s_branch",
    "s_cbranch_execnz",
    "s_cbranch_execz",
    "s_cbranch_scc0",
    "s_cbranch_scc1",
    "s_cbranch_vccnz",
    "s_cmp_eq_u32",
    "s_cmp_ge_i32",
    "s_cmp_ge_u32",
    "s_cmp_gt_i32",
    "s_cmp_lg_u32",
    "s_cmp_lt_i32",
    "s_cmp_lt_u32",
    "s_cselect_b32",
    "s_cselect_b64",
    "s_endpgm",
    "s_getpc_b64",
    "s_getreg_b32",
    "s_load_dword",
    "s_load_dwordx16",
    "s_load_dwordx2",
    "s_load_dwordx4",
    "s_load_dwordx8",
    "s_lshl_b32",
    "s_lshl_b64",
    "s_lshr_b32",
    "s_lshr_b64",
    "s_max_i32",
    "s_min_i32",
    "s_mov_b32",
    "s_mov_b64",
    "s_movk_i32",
    "s_mul_hi_u32",
    "s_mul_i32",
    "s_nop",
    "s_or_b32",
    "s_or_b64",
    "s_or_saveexec_b64",
    "s_sendmsg",
    "s_set_gpr_idx_off",
    "s_set_gpr_idx_on",
    "s_setpc_b64",
    "s_sleep",
    "s_sub_i32",
    "s_swappc_b64",
    "s_trap",
    "s_waitcnt",
    "s_xor_b32",
    "s_xor_b64",
    "s_xor_saveexec_b64",
    "scratch_load_dword",
    "scratch_load_dwordx2",
    "scratch_load_dwordx4",
    "scratch_store_dword",
    "scratch_store_dwordx2",
    "scratch_store_dwordx4",
    "v_accvgpr_mov_b32",
    "v_accvgpr_read_b32",
    "v_accvgpr_write_b32",
    "v_add3_u32",
    "v_add_co_u32",
    "v_add_f32",
    "v_add_lshl_u32",
    "v_add_u32",
    "v_addc_co_u32",
    "v_and_b32",
    "v_and_or_b32",
    "v_ashrrev_i32",
    "v_bfe_u32",
    "v_bfi_b32",
    "v_bfrev_b32",
    "v_bitop3_b32",
    "v_cmp_eq_u32",
    "v_cmp_eq_u64",
    "v_cmp_ge_u32",
    "v_cmp_gt_i32",
    "v_cmp_gt_u32",
    "v_cmp_gt_u64",
    "v_cmp_le_i32",
    "v_cmp_le_u32",
    "v_cmp_lt_i32",
    "v_cmp_lt_u32",
    "v_cmp_lt_u64",
    "v_cmp_ne_u16",
    "v_cmp_ne_u32",
    "v_cmp_ne_u64",
    "v_cndmask_b32",
    "v_cvt_f16_f32",
    "v_cvt_f32_u32",
    "v_cvt_pk_f16_f32",
    "v_cvt_u32_f32",
    "v_fma_mixlo_f16",
    "v_lshl_add_u32",
    "v_lshl_add_u64",
    "v_lshl_or_b32",
    "v_lshlrev_b32",
    "v_lshlrev_b64",
    "v_lshrrev_b32",
    "v_lshrrev_b64",
    "v_mad_i32_i24",
    "v_mad_u32_u24",
    "v_mad_u64_u32",
    "v_mbcnt_hi_u32_b32",
    "v_mbcnt_lo_u32_b32",
    "v_mfma_f32_16x16x16_bf16",
    "v_mfma_f32_16x16x16_f16",
    "v_mfma_f32_16x16x16bf16_1k",
    "v_mfma_f32_16x16x16f16",
    "v_mfma_f32_16x16x4_f32",
    "v_mfma_f32_16x16x4f32",
    "v_mfma_f32_32x32x2_f32",
    "v_mfma_f32_32x32x2f32",
    "v_mfma_f32_32x32x8_bf16",
    "v_mfma_f32_32x32x8_f16",
    "v_mfma_f32_32x32x8bf16_1k",
    "v_mfma_f32_32x32x8f16",
    "v_mov_b32",
    "v_mov_b64",
    "v_mul_f32",
    "v_mul_hi_u32",
    "v_mul_i32_i24",
    "v_mul_lo_u32",
    "v_mul_u32_u24",
    "v_not_b32",
    "v_or3_b32",
    "v_or_b32",
    "v_pack_b32_f16",
    "v_perm_b32",
    "v_pk_mov_b32",
    "v_pk_mul_f32",
    "v_rcp_iflag_f32",
    "v_readfirstlane_b32",
    "v_readlane_b32",
    "v_sub_co_u32",
    "v_sub_u32",
    "v_subb_co_u32",
    "v_subrev_u32",
    "v_writelane_b32",
};

/* Rows that decode and are errors to run. */
static const char *const decoded_only[] = {
    "fp8",
    "bf8",
    "_fork",
    "_join",
    "_rfe",
    "s_setvskip",
    "s_setkill",
    "s_sendmsghalt",
    "_cdbg",
    "ordered_ps",
    "v_screen_partition",
    "permlane",
    "v_trig_preop",
    "v_ashr_pk",
    "v_cvt_sr_",
    "v_cvt_pkaccum",
    "minimum3_f16",
    "maximum3_f16",
    "condxchg32",
    "_tr_b",
};

static bool is_listed(const char *name) {
  for (size_t i = 0; i < sizeof decoded_only / sizeof *decoded_only; i++)
    if (strstr(name, decoded_only[i]))
      return true;
  return false;
}

static void compiled_instructions_run(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof compiled / sizeof *compiled; i++) {
    bool found = false;
    for (unsigned op = 1; op < SIM_OP_COUNT; op++)
      if (strcmp(sim_info[op].name, compiled[i]) == 0) {
        found = true;
        if (!sim_info[op].runs || !sim_variant_handlers()[op])
          fail_msg("%s has no handler", compiled[i]);
      }
    if (!found)
      fail_msg("%s has no row", compiled[i]);
  }
}

static void all_but_the_listed_run(void **state) {
  (void)state;
  for (unsigned op = 1; op < SIM_OP_COUNT; op++) {
    if (!sim_info[op].runs && !is_listed(sim_info[op].name))
      fail_msg("%s has no handler", sim_info[op].name);
    assert_true(sim_info[op].runs == (sim_variant_handlers()[op] != NULL));
  }
}

/* Each arch has the matrix forms of its data types: their number by arch. */
static void matrix_forms(void **state) {
  (void)state;
  static const struct {
    const char *part;
    unsigned forms[SIM_ARCHS];
  } types[] = {
      {"f32_32x32x1", {1, 1, 1, 1}},
      {"xf32", {0, 0, 2, 0}},
      {"bf16_1k", {0, 5, 0, 0}},
      {"f64_", {0, 2, 2, 2}},
  };
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    for (unsigned arch = 0; arch < SIM_ARCHS; arch++) {
      unsigned count = 0;
      for (unsigned op = 1; op < SIM_OP_COUNT; op++)
        count += sim_class_of[op] == SIM_CLASS_MFMA && sim_info[op].opcode[arch] >= 0 && sim_info[op].runs &&
                 strstr(sim_info[op].name, types[i].part) && !strstr(sim_info[op].name, "32x32x16");
      if (count != types[i].forms[arch])
        fail_msg("%u forms of %s on arch %u, not %u", count, types[i].part, arch, types[i].forms[arch]);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(compiled_instructions_run),
      cmocka_unit_test(all_but_the_listed_run),
      cmocka_unit_test(matrix_forms),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
