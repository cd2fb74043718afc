/* Rows of the instruction table: scalar instructions. See sim_table.h for the columns. */
#ifndef SIM_ROWS_SCALAR_H
#define SIM_ROWS_SCALAR_H

/* one source */
#define SIM_ROWS_SOP1(X)                                                                                     \
  X(s_mov_b32, SOP1, ALL(0x00), PLAIN, B32, B32, NONE, NONE, SALU, R4, run)                                  \
  X(s_mov_b64, SOP1, ALL(0x01), PLAIN, B64, B64, NONE, NONE, SALU, R4, run)                                  \
  X(s_cmov_b32, SOP1, ALL(0x02), PLAIN, B32, B32, NONE, NONE, SALU, R4, run)                                 \
  X(s_cmov_b64, SOP1, ALL(0x03), PLAIN, B64, B64, NONE, NONE, SALU, R4, run)                                 \
  X(s_not_b32, SOP1, ALL(0x04), PLAIN, B32, B32, NONE, NONE, SALU, R4, run)                                  \
  X(s_not_b64, SOP1, ALL(0x05), PLAIN, B64, B64, NONE, NONE, SALU, R4, run)                                  \
  X(s_wqm_b32, SOP1, ALL(0x06), PLAIN, B32, B32, NONE, NONE, SALU, R4, run)                                  \
  X(s_wqm_b64, SOP1, ALL(0x07), PLAIN, B64, B64, NONE, NONE, SALU, R4, run)                                  \
  X(s_brev_b32, SOP1, ALL(0x08), PLAIN, B32, B32, NONE, NONE, SALU, R4, run)                                 \
  X(s_brev_b64, SOP1, ALL(0x09), PLAIN, B64, B64, NONE, NONE, SALU, R4, run)                                 \
  X(s_bcnt0_i32_b32, SOP1, ALL(0x0a), PLAIN, B32, B32, NONE, NONE, SALU, R4, run)                            \
  X(s_bcnt0_i32_b64, SOP1, ALL(0x0b), PLAIN, B32, B64, NONE, NONE, SALU, R4, run)                            \
  X(s_bcnt1_i32_b32, SOP1, ALL(0x0c), PLAIN, B32, B32, NONE, NONE, SALU, R4, run)                            \
  X(s_bcnt1_i32_b64, SOP1, ALL(0x0d), PLAIN, B32, B64, NONE, NONE, SALU, R4, run)                            \
  X(s_ff0_i32_b32, SOP1, ALL(0x0e), PLAIN, B32, B32, NONE, NONE, SALU, R4, run)                              \
  X(s_ff0_i32_b64, SOP1, ALL(0x0f), PLAIN, B32, B64, NONE, NONE, SALU, R4, run)                              \
  X(s_ff1_i32_b32, SOP1, ALL(0x10), PLAIN, B32, B32, NONE, NONE, SALU, R4, run)                              \
  X(s_ff1_i32_b64, SOP1, ALL(0x11), PLAIN, B32, B64, NONE, NONE, SALU, R4, run)                              \
  X(s_flbit_i32_b32, SOP1, ALL(0x12), PLAIN, B32, B32, NONE, NONE, SALU, R4, run)                            \
  X(s_flbit_i32_b64, SOP1, ALL(0x13), PLAIN, B32, B64, NONE, NONE, SALU, R4, run)                            \
  X(s_flbit_i32, SOP1, ALL(0x14), PLAIN, B32, B32, NONE, NONE, SALU, R4, run)                                \
  X(s_flbit_i32_i64, SOP1, ALL(0x15), PLAIN, B32, B64, NONE, NONE, SALU, R4, run)                            \
  X(s_sext_i32_i8, SOP1, ALL(0x16), PLAIN, B32, B32, NONE, NONE, SALU, R4, run)                              \
  X(s_sext_i32_i16, SOP1, ALL(0x17), PLAIN, B32, B32, NONE, NONE, SALU, R4, run)                             \
  X(s_bitset0_b32, SOP1, ALL(0x18), PLAIN, B32, B32, NONE, NONE, SALU, R4, run)                              \
  X(s_bitset0_b64, SOP1, ALL(0x19), PLAIN, B64, B32, NONE, NONE, SALU, R4, run)                              \
  X(s_bitset1_b32, SOP1, ALL(0x1a), PLAIN, B32, B32, NONE, NONE, SALU, R4, run)                              \
  X(s_bitset1_b64, SOP1, ALL(0x1b), PLAIN, B64, B32, NONE, NONE, SALU, R4, run)                              \
  X(s_getpc_b64, SOP1, ALL(0x1c), PLAIN, B64, NONE, NONE, NONE, SALU, R4, run)                               \
  X(s_setpc_b64, SOP1, ALL(0x1d), PLAIN, NONE, B64, NONE, NONE, BRANCH, R4, run)                             \
  X(s_swappc_b64, SOP1, ALL(0x1e), PLAIN, B64, B64, NONE, NONE, BRANCH, R4, run)                             \
  X(s_rfe_b64, SOP1, ALL(0x1f), PLAIN, NONE, B64, NONE, NONE, SALU, R4, none)                                \
  X(s_and_saveexec_b64, SOP1, ALL(0x20), PLAIN, B64, B64, NONE, NONE, SALU, R4, run)                         \
  X(s_or_saveexec_b64, SOP1, ALL(0x21), PLAIN, B64, B64, NONE, NONE, SALU, R4, run)                          \
  X(s_xor_saveexec_b64, SOP1, ALL(0x22), PLAIN, B64, B64, NONE, NONE, SALU, R4, run)                         \
  X(s_andn2_saveexec_b64, SOP1, ALL(0x23), PLAIN, B64, B64, NONE, NONE, SALU, R4, run)                       \
  X(s_orn2_saveexec_b64, SOP1, ALL(0x24), PLAIN, B64, B64, NONE, NONE, SALU, R4, run)                        \
  X(s_nand_saveexec_b64, SOP1, ALL(0x25), PLAIN, B64, B64, NONE, NONE, SALU, R4, run)                        \
  X(s_nor_saveexec_b64, SOP1, ALL(0x26), PLAIN, B64, B64, NONE, NONE, SALU, R4, run)                         \
  X(s_xnor_saveexec_b64, SOP1, ALL(0x27), PLAIN, B64, B64, NONE, NONE, SALU, R4, run)                        \
  X(s_quadmask_b32, SOP1, ALL(0x28), PLAIN, B32, B32, NONE, NONE, SALU, R4, run)                             \
  X(s_quadmask_b64, SOP1, ALL(0x29), PLAIN, B64, B64, NONE, NONE, SALU, R4, run)                             \
  X(s_movrels_b32, SOP1, ALL(0x2a), PLAIN, B32, B32, NONE, NONE, SALU, R4, run)                              \
  X(s_movrels_b64, SOP1, ALL(0x2b), PLAIN, B64, B64, NONE, NONE, SALU, R4, run)                              \
  X(s_movreld_b32, SOP1, ALL(0x2c), PLAIN, B32, B32, NONE, NONE, SALU, R4, run)                              \
  X(s_movreld_b64, SOP1, ALL(0x2d), PLAIN, B64, B64, NONE, NONE, SALU, R4, run)                              \
  X(s_cbranch_join, SOP1, ALL(0x2e), PLAIN, NONE, B32, NONE, NONE, SALU, R4, none)                           \
  X(s_abs_i32, SOP1, ALL(0x30), PLAIN, B32, B32, NONE, NONE, SALU, R4, run)                                  \
  X(s_set_gpr_idx_idx, SOP1, ALL(0x32), PLAIN, NONE, B32, NONE, NONE, SALU, R4, run)                         \
  X(s_andn1_saveexec_b64, SOP1, ALL(0x33), PLAIN, B64, B64, NONE, NONE, SALU, R4, run)                       \
  X(s_orn1_saveexec_b64, SOP1, ALL(0x34), PLAIN, B64, B64, NONE, NONE, SALU, R4, run)                        \
  X(s_andn1_wrexec_b64, SOP1, ALL(0x35), PLAIN, B64, B64, NONE, NONE, SALU, R4, run)                         \
  X(s_andn2_wrexec_b64, SOP1, ALL(0x36), PLAIN, B64, B64, NONE, NONE, SALU, R4, run)                         \
  X(s_bitreplicate_b64_b32, SOP1, ALL(0x37), PLAIN, B64, B32, NONE, NONE, SALU, R4, run)

/* two sources */
#define SIM_ROWS_SOP2(X)                                                                                     \
  X(s_add_u32, SOP2, ALL(0x00), PLAIN, B32, B32, B32, NONE, SALU, R4, run)                                   \
  X(s_sub_u32, SOP2, ALL(0x01), PLAIN, B32, B32, B32, NONE, SALU, R4, run)                                   \
  X(s_add_i32, SOP2, ALL(0x02), PLAIN, B32, B32, B32, NONE, SALU, R4, run)                                   \
  X(s_sub_i32, SOP2, ALL(0x03), PLAIN, B32, B32, B32, NONE, SALU, R4, run)                                   \
  X(s_addc_u32, SOP2, ALL(0x04), PLAIN, B32, B32, B32, NONE, SALU, R4, run)                                  \
  X(s_subb_u32, SOP2, ALL(0x05), PLAIN, B32, B32, B32, NONE, SALU, R4, run)                                  \
  X(s_min_i32, SOP2, ALL(0x06), PLAIN, B32, B32, B32, NONE, SALU, R4, run)                                   \
  X(s_min_u32, SOP2, ALL(0x07), PLAIN, B32, B32, B32, NONE, SALU, R4, run)                                   \
  X(s_max_i32, SOP2, ALL(0x08), PLAIN, B32, B32, B32, NONE, SALU, R4, run)                                   \
  X(s_max_u32, SOP2, ALL(0x09), PLAIN, B32, B32, B32, NONE, SALU, R4, run)                                   \
  X(s_cselect_b32, SOP2, ALL(0x0a), PLAIN, B32, B32, B32, NONE, SALU, R4, run)                               \
  X(s_cselect_b64, SOP2, ALL(0x0b), PLAIN, B64, B64, B64, NONE, SALU, R4, run)                               \
  X(s_and_b32, SOP2, ALL(0x0c), PLAIN, B32, B32, B32, NONE, SALU, R4, run)                                   \
  X(s_and_b64, SOP2, ALL(0x0d), PLAIN, B64, B64, B64, NONE, SALU, R4, run)                                   \
  X(s_or_b32, SOP2, ALL(0x0e), PLAIN, B32, B32, B32, NONE, SALU, R4, run)                                    \
  X(s_or_b64, SOP2, ALL(0x0f), PLAIN, B64, B64, B64, NONE, SALU, R4, run)                                    \
  X(s_xor_b32, SOP2, ALL(0x10), PLAIN, B32, B32, B32, NONE, SALU, R4, run)                                   \
  X(s_xor_b64, SOP2, ALL(0x11), PLAIN, B64, B64, B64, NONE, SALU, R4, run)                                   \
  X(s_andn2_b32, SOP2, ALL(0x12), PLAIN, B32, B32, B32, NONE, SALU, R4, run)                                 \
  X(s_andn2_b64, SOP2, ALL(0x13), PLAIN, B64, B64, B64, NONE, SALU, R4, run)                                 \
  X(s_orn2_b32, SOP2, ALL(0x14), PLAIN, B32, B32, B32, NONE, SALU, R4, run)                                  \
  X(s_orn2_b64, SOP2, ALL(0x15), PLAIN, B64, B64, B64, NONE, SALU, R4, run)                                  \
  X(s_nand_b32, SOP2, ALL(0x16), PLAIN, B32, B32, B32, NONE, SALU, R4, run)                                  \
  X(s_nand_b64, SOP2, ALL(0x17), PLAIN, B64, B64, B64, NONE, SALU, R4, run)                                  \
  X(s_nor_b32, SOP2, ALL(0x18), PLAIN, B32, B32, B32, NONE, SALU, R4, run)                                   \
  X(s_nor_b64, SOP2, ALL(0x19), PLAIN, B64, B64, B64, NONE, SALU, R4, run)                                   \
  X(s_xnor_b32, SOP2, ALL(0x1a), PLAIN, B32, B32, B32, NONE, SALU, R4, run)                                  \
  X(s_xnor_b64, SOP2, ALL(0x1b), PLAIN, B64, B64, B64, NONE, SALU, R4, run)                                  \
  X(s_lshl_b32, SOP2, ALL(0x1c), PLAIN, B32, B32, B32, NONE, SALU, R4, run)                                  \
  X(s_lshl_b64, SOP2, ALL(0x1d), PLAIN, B64, B64, B32, NONE, SALU, R4, run)                                  \
  X(s_lshr_b32, SOP2, ALL(0x1e), PLAIN, B32, B32, B32, NONE, SALU, R4, run)                                  \
  X(s_lshr_b64, SOP2, ALL(0x1f), PLAIN, B64, B64, B32, NONE, SALU, R4, run)                                  \
  X(s_ashr_i32, SOP2, ALL(0x20), PLAIN, B32, B32, B32, NONE, SALU, R4, run)                                  \
  X(s_ashr_i64, SOP2, ALL(0x21), PLAIN, B64, B64, B32, NONE, SALU, R4, run)                                  \
  X(s_bfm_b32, SOP2, ALL(0x22), PLAIN, B32, B32, B32, NONE, SALU, R4, run)                                   \
  X(s_bfm_b64, SOP2, ALL(0x23), PLAIN, B64, B32, B32, NONE, SALU, R4, run)                                   \
  X(s_mul_i32, SOP2, ALL(0x24), PLAIN, B32, B32, B32, NONE, SALU, R4, run)                                   \
  X(s_bfe_u32, SOP2, ALL(0x25), PLAIN, B32, B32, B32, NONE, SALU, R4, run)                                   \
  X(s_bfe_i32, SOP2, ALL(0x26), PLAIN, B32, B32, B32, NONE, SALU, R4, run)                                   \
  X(s_bfe_u64, SOP2, ALL(0x27), PLAIN, B64, B64, B32, NONE, SALU, R4, run)                                   \
  X(s_bfe_i64, SOP2, ALL(0x28), PLAIN, B64, B64, B32, NONE, SALU, R4, run)                                   \
  X(s_cbranch_g_fork, SOP2, ALL(0x29), PLAIN, NONE, B64, B64, NONE, SALU, R4, none)                          \
  X(s_absdiff_i32, SOP2, ALL(0x2a), PLAIN, B32, B32, B32, NONE, SALU, R4, run)                               \
  X(s_rfe_restore_b64, SOP2, ALL(0x2b), PLAIN, NONE, B64, B32, NONE, SALU, R4, none)                         \
  X(s_mul_hi_u32, SOP2, ALL(0x2c), PLAIN, B32, B32, B32, NONE, SALU, R4, run)                                \
  X(s_mul_hi_i32, SOP2, ALL(0x2d), PLAIN, B32, B32, B32, NONE, SALU, R4, run)                                \
  X(s_lshl1_add_u32, SOP2, ALL(0x2e), PLAIN, B32, B32, B32, NONE, SALU, R4, run)                             \
  X(s_lshl2_add_u32, SOP2, ALL(0x2f), PLAIN, B32, B32, B32, NONE, SALU, R4, run)                             \
  X(s_lshl3_add_u32, SOP2, ALL(0x30), PLAIN, B32, B32, B32, NONE, SALU, R4, run)                             \
  X(s_lshl4_add_u32, SOP2, ALL(0x31), PLAIN, B32, B32, B32, NONE, SALU, R4, run)                             \
  X(s_pack_ll_b32_b16, SOP2, ALL(0x32), PLAIN, B32, B32, B32, NONE, SALU, R4, run)                           \
  X(s_pack_lh_b32_b16, SOP2, ALL(0x33), PLAIN, B32, B32, B32, NONE, SALU, R4, run)                           \
  X(s_pack_hh_b32_b16, SOP2, ALL(0x34), PLAIN, B32, B32, B32, NONE, SALU, R4, run)

/* compares */
#define SIM_ROWS_SOPC(X)                                                                                     \
  X(s_cmp_eq_i32, SOPC, ALL(0x00), PLAIN, NONE, B32, B32, NONE, SALU, R4, run)                               \
  X(s_cmp_lg_i32, SOPC, ALL(0x01), PLAIN, NONE, B32, B32, NONE, SALU, R4, run)                               \
  X(s_cmp_gt_i32, SOPC, ALL(0x02), PLAIN, NONE, B32, B32, NONE, SALU, R4, run)                               \
  X(s_cmp_ge_i32, SOPC, ALL(0x03), PLAIN, NONE, B32, B32, NONE, SALU, R4, run)                               \
  X(s_cmp_lt_i32, SOPC, ALL(0x04), PLAIN, NONE, B32, B32, NONE, SALU, R4, run)                               \
  X(s_cmp_le_i32, SOPC, ALL(0x05), PLAIN, NONE, B32, B32, NONE, SALU, R4, run)                               \
  X(s_cmp_eq_u32, SOPC, ALL(0x06), PLAIN, NONE, B32, B32, NONE, SALU, R4, run)                               \
  X(s_cmp_lg_u32, SOPC, ALL(0x07), PLAIN, NONE, B32, B32, NONE, SALU, R4, run)                               \
  X(s_cmp_gt_u32, SOPC, ALL(0x08), PLAIN, NONE, B32, B32, NONE, SALU, R4, run)                               \
  X(s_cmp_ge_u32, SOPC, ALL(0x09), PLAIN, NONE, B32, B32, NONE, SALU, R4, run)                               \
  X(s_cmp_lt_u32, SOPC, ALL(0x0a), PLAIN, NONE, B32, B32, NONE, SALU, R4, run)                               \
  X(s_cmp_le_u32, SOPC, ALL(0x0b), PLAIN, NONE, B32, B32, NONE, SALU, R4, run)                               \
  X(s_bitcmp0_b32, SOPC, ALL(0x0c), PLAIN, NONE, B32, B32, NONE, SALU, R4, run)                              \
  X(s_bitcmp1_b32, SOPC, ALL(0x0d), PLAIN, NONE, B32, B32, NONE, SALU, R4, run)                              \
  X(s_bitcmp0_b64, SOPC, ALL(0x0e), PLAIN, NONE, B64, B32, NONE, SALU, R4, run)                              \
  X(s_bitcmp1_b64, SOPC, ALL(0x0f), PLAIN, NONE, B64, B32, NONE, SALU, R4, run)                              \
  X(s_setvskip, SOPC, ALL(0x10), PLAIN, NONE, B32, B32, NONE, SALU, R4, none)                                \
  X(s_set_gpr_idx_on, SOPC, ALL(0x11), PLAIN, NONE, B32, B32, NONE, SALU, R4, run)                           \
  X(s_cmp_eq_u64, SOPC, ALL(0x12), PLAIN, NONE, B64, B64, NONE, SALU, R4, run)                               \
  X(s_cmp_lg_u64, SOPC, ALL(0x13), PLAIN, NONE, B64, B64, NONE, SALU, R4, run)

/* a 16-bit constant */
#define SIM_ROWS_SOPK(X)                                                                                     \
  X(s_movk_i32, SOPK, ALL(0x00), PLAIN, B32, NONE, NONE, NONE, SALU, R4, run)                                \
  X(s_cmovk_i32, SOPK, ALL(0x01), PLAIN, B32, NONE, NONE, NONE, SALU, R4, run)                               \
  X(s_cmpk_eq_i32, SOPK, ALL(0x02), PLAIN, NONE, B32, NONE, NONE, SALU, R4, run)                             \
  X(s_cmpk_lg_i32, SOPK, ALL(0x03), PLAIN, NONE, B32, NONE, NONE, SALU, R4, run)                             \
  X(s_cmpk_gt_i32, SOPK, ALL(0x04), PLAIN, NONE, B32, NONE, NONE, SALU, R4, run)                             \
  X(s_cmpk_ge_i32, SOPK, ALL(0x05), PLAIN, NONE, B32, NONE, NONE, SALU, R4, run)                             \
  X(s_cmpk_lt_i32, SOPK, ALL(0x06), PLAIN, NONE, B32, NONE, NONE, SALU, R4, run)                             \
  X(s_cmpk_le_i32, SOPK, ALL(0x07), PLAIN, NONE, B32, NONE, NONE, SALU, R4, run)                             \
  X(s_cmpk_eq_u32, SOPK, ALL(0x08), PLAIN, NONE, B32, NONE, NONE, SALU, R4, run)                             \
  X(s_cmpk_lg_u32, SOPK, ALL(0x09), PLAIN, NONE, B32, NONE, NONE, SALU, R4, run)                             \
  X(s_cmpk_gt_u32, SOPK, ALL(0x0a), PLAIN, NONE, B32, NONE, NONE, SALU, R4, run)                             \
  X(s_cmpk_ge_u32, SOPK, ALL(0x0b), PLAIN, NONE, B32, NONE, NONE, SALU, R4, run)                             \
  X(s_cmpk_lt_u32, SOPK, ALL(0x0c), PLAIN, NONE, B32, NONE, NONE, SALU, R4, run)                             \
  X(s_cmpk_le_u32, SOPK, ALL(0x0d), PLAIN, NONE, B32, NONE, NONE, SALU, R4, run)                             \
  X(s_addk_i32, SOPK, ALL(0x0e), PLAIN, B32, NONE, NONE, NONE, SALU, R4, run)                                \
  X(s_mulk_i32, SOPK, ALL(0x0f), PLAIN, B32, NONE, NONE, NONE, SALU, R4, run)                                \
  X(s_cbranch_i_fork, SOPK, ALL(0x10), PLAIN, NONE, B64, NONE, NONE, BRANCH, R4, none)                       \
  X(s_getreg_b32, SOPK, ALL(0x11), PLAIN, B32, NONE, NONE, NONE, SALU, R4, run)                              \
  X(s_setreg_b32, SOPK, ALL(0x12), PLAIN, NONE, B32, NONE, NONE, SALU, R4, run)                              \
  X(s_setreg_imm32_b32, SOPK, ALL(0x14), PLAIN, NONE, NONE, NONE, NONE, SALU, R4, run)                       \
  X(s_call_b64, SOPK, ALL(0x15), PLAIN, B64, NONE, NONE, NONE, BRANCH, R4, run)

/* program control */
#define SIM_ROWS_SOPP(X)                                                                                     \
  X(s_nop, SOPP, ALL(0x00), PLAIN, NONE, NONE, NONE, NONE, OTHER, R4, run)                                   \
  X(s_endpgm, SOPP, ALL(0x01), PLAIN, NONE, NONE, NONE, NONE, OTHER, R4, run)                                \
  X(s_branch, SOPP, ALL(0x02), PLAIN, NONE, NONE, NONE, NONE, BRANCH, R4, run)                               \
  X(s_wakeup, SOPP, ALL(0x03), PLAIN, NONE, NONE, NONE, NONE, OTHER, R4, run)                                \
  X(s_cbranch_scc0, SOPP, ALL(0x04), PLAIN, NONE, NONE, NONE, NONE, BRANCH, R4, run)                         \
  X(s_cbranch_scc1, SOPP, ALL(0x05), PLAIN, NONE, NONE, NONE, NONE, BRANCH, R4, run)                         \
  X(s_cbranch_vccz, SOPP, ALL(0x06), PLAIN, NONE, NONE, NONE, NONE, BRANCH, R4, run)                         \
  X(s_cbranch_vccnz, SOPP, ALL(0x07), PLAIN, NONE, NONE, NONE, NONE, BRANCH, R4, run)                        \
  X(s_cbranch_execz, SOPP, ALL(0x08), PLAIN, NONE, NONE, NONE, NONE, BRANCH, R4, run)                        \
  X(s_cbranch_execnz, SOPP, ALL(0x09), PLAIN, NONE, NONE, NONE, NONE, BRANCH, R4, run)                       \
  X(s_barrier, SOPP, ALL(0x0a), PLAIN, NONE, NONE, NONE, NONE, BARRIER, R4, run)                             \
  X(s_setkill, SOPP, ALL(0x0b), PLAIN, NONE, NONE, NONE, NONE, OTHER, R4, none)                              \
  X(s_waitcnt, SOPP, ALL(0x0c), PLAIN, NONE, NONE, NONE, NONE, OTHER, R4, run)                               \
  X(s_sethalt, SOPP, ALL(0x0d), PLAIN, NONE, NONE, NONE, NONE, OTHER, R4, run)                               \
  X(s_sleep, SOPP, ALL(0x0e), PLAIN, NONE, NONE, NONE, NONE, OTHER, R4, run)                                 \
  X(s_setprio, SOPP, ALL(0x0f), PLAIN, NONE, NONE, NONE, NONE, OTHER, R4, run)                               \
  X(s_sendmsg, SOPP, ALL(0x10), PLAIN, NONE, NONE, NONE, NONE, OTHER, R4, run)                               \
  X(s_sendmsghalt, SOPP, ALL(0x11), PLAIN, NONE, NONE, NONE, NONE, OTHER, R4, none)                          \
  X(s_trap, SOPP, ALL(0x12), PLAIN, NONE, NONE, NONE, NONE, OTHER, R4, run)                                  \
  X(s_icache_inv, SOPP, ALL(0x13), PLAIN, NONE, NONE, NONE, NONE, OTHER, R4, run)                            \
  X(s_incperflevel, SOPP, ALL(0x14), PLAIN, NONE, NONE, NONE, NONE, OTHER, R4, run)                          \
  X(s_decperflevel, SOPP, ALL(0x15), PLAIN, NONE, NONE, NONE, NONE, OTHER, R4, run)                          \
  X(s_ttracedata, SOPP, ALL(0x16), PLAIN, NONE, NONE, NONE, NONE, OTHER, R4, run)                            \
  X(s_cbranch_cdbgsys, SOPP, ALL(0x17), PLAIN, NONE, NONE, NONE, NONE, BRANCH, R4, none)                     \
  X(s_cbranch_cdbguser, SOPP, ALL(0x18), PLAIN, NONE, NONE, NONE, NONE, BRANCH, R4, none)                    \
  X(s_cbranch_cdbgsys_or_user, SOPP, ALL(0x19), PLAIN, NONE, NONE, NONE, NONE, BRANCH, R4, none)             \
  X(s_cbranch_cdbgsys_and_user, SOPP, ALL(0x1a), PLAIN, NONE, NONE, NONE, NONE, BRANCH, R4, none)            \
  X(s_endpgm_saved, SOPP, ALL(0x1b), PLAIN, NONE, NONE, NONE, NONE, OTHER, R4, run)                          \
  X(s_set_gpr_idx_off, SOPP, ALL(0x1c), PLAIN, NONE, NONE, NONE, NONE, OTHER, R4, run)                       \
  X(s_set_gpr_idx_mode, SOPP, ALL(0x1d), PLAIN, NONE, NONE, NONE, NONE, OTHER, R4, run)                      \
  X(s_endpgm_ordered_ps_done, SOPP, ALL(0x1e), PLAIN, NONE, NONE, NONE, NONE, OTHER, R4, none)

#endif
