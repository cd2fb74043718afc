/* Rows of the instruction table: matrix cores and accumulation registers. See sim_table.h for the columns. */
#ifndef SIM_ROWS_MATRIX_H
#define SIM_ROWS_MATRIX_H

/* matrix */
#define SIM_ROWS_MAI(X)                                                                                      \
  X(v_mfma_f32_16x16x32_bf16, MAI, ONLY_950(0x35), PLAIN, B128, B128, B128, B128, MFMA, M16, run)            \
  X(v_mfma_i32_16x16x64_i8, MAI, ONLY_950(0x36), PLAIN, B128, B128, B128, B128, MFMA, M16, run)              \
  X(v_mfma_f32_32x32x16_bf16, MAI, ONLY_950(0x37), PLAIN, B512, B128, B128, B512, MFMA, M32, run)            \
  X(v_mfma_i32_32x32x32_i8, MAI, ONLY_950(0x38), PLAIN, B512, B128, B128, B512, MFMA, M32, run)              \
  X(v_mfma_f32_16x16x8_xf32, MAI, ONLY_942(0x3e), PLAIN, B128, B64, B64, B128, MFMA, M16, run)               \
  X(v_mfma_f32_32x32x4_xf32, MAI, ONLY_942(0x3f), PLAIN, B512, B64, B64, B512, MFMA, M32, run)               \
  X(v_mfma_f32_32x32x1f32, MAI, UNTIL_90A(0x40), PLAIN, B1024, B32, B32, B1024, MFMA, M64, run)              \
  X(v_mfma_f32_32x32x1_2b_f32, MAI, SINCE_942(0x40), PLAIN, B1024, B32, B32, B1024, MFMA, M64, run)          \
  X(v_mfma_f32_16x16x1f32, MAI, UNTIL_90A(0x41), PLAIN, B512, B32, B32, B512, MFMA, M32, run)                \
  X(v_mfma_f32_16x16x1_4b_f32, MAI, SINCE_942(0x41), PLAIN, B512, B32, B32, B512, MFMA, M32, run)            \
  X(v_mfma_f32_4x4x1f32, MAI, UNTIL_90A(0x42), PLAIN, B128, B32, B32, B128, MFMA, M8, run)                   \
  X(v_mfma_f32_4x4x1_16b_f32, MAI, SINCE_942(0x42), PLAIN, B128, B32, B32, B128, MFMA, M8, run)              \
  X(v_mfma_f32_32x32x2f32, MAI, UNTIL_90A(0x44), PLAIN, B512, B32, B32, B512, MFMA, M64, run)                \
  X(v_mfma_f32_32x32x2_f32, MAI, SINCE_942(0x44), PLAIN, B512, B32, B32, B512, MFMA, M64, run)               \
  X(v_mfma_f32_16x16x4f32, MAI, UNTIL_90A(0x45), PLAIN, B128, B32, B32, B128, MFMA, M32, run)                \
  X(v_mfma_f32_16x16x4_f32, MAI, SINCE_942(0x45), PLAIN, B128, B32, B32, B128, MFMA, M32, run)               \
  X(v_mfma_f32_32x32x4f16, MAI, UNTIL_90A(0x48), PLAIN, B1024, B64, B64, B1024, MFMA, M64, run)              \
  X(v_mfma_f32_32x32x4_2b_f16, MAI, SINCE_942(0x48), PLAIN, B1024, B64, B64, B1024, MFMA, M64, run)          \
  X(v_mfma_f32_16x16x4f16, MAI, UNTIL_90A(0x49), PLAIN, B512, B64, B64, B512, MFMA, M32, run)                \
  X(v_mfma_f32_16x16x4_4b_f16, MAI, SINCE_942(0x49), PLAIN, B512, B64, B64, B512, MFMA, M32, run)            \
  X(v_mfma_f32_4x4x4f16, MAI, UNTIL_90A(0x4a), PLAIN, B128, B64, B64, B128, MFMA, M8, run)                   \
  X(v_mfma_f32_4x4x4_16b_f16, MAI, SINCE_942(0x4a), PLAIN, B128, B64, B64, B128, MFMA, M8, run)              \
  X(v_mfma_f32_32x32x8f16, MAI, UNTIL_90A(0x4c), PLAIN, B512, B64, B64, B512, MFMA, M64, run)                \
  X(v_mfma_f32_32x32x8_f16, MAI, SINCE_942(0x4c), PLAIN, B512, B64, B64, B512, MFMA, M32, run)               \
  X(v_mfma_f32_16x16x16f16, MAI, UNTIL_90A(0x4d), PLAIN, B128, B64, B64, B128, MFMA, M32, run)               \
  X(v_mfma_f32_16x16x16_f16, MAI, SINCE_942(0x4d), PLAIN, B128, B64, B64, B128, MFMA, M16, run)              \
  X(v_mfma_i32_32x32x4i8, MAI, UNTIL_90A(0x50), PLAIN, B1024, B32, B32, B1024, MFMA, M64, run)               \
  X(v_mfma_i32_32x32x4_2b_i8, MAI, SINCE_942(0x50), PLAIN, B1024, B32, B32, B1024, MFMA, M64, run)           \
  X(v_mfma_i32_16x16x4i8, MAI, UNTIL_90A(0x51), PLAIN, B512, B32, B32, B512, MFMA, M32, run)                 \
  X(v_mfma_i32_16x16x4_4b_i8, MAI, SINCE_942(0x51), PLAIN, B512, B32, B32, B512, MFMA, M32, run)             \
  X(v_mfma_i32_4x4x4i8, MAI, UNTIL_90A(0x52), PLAIN, B128, B32, B32, B128, MFMA, M8, run)                    \
  X(v_mfma_i32_4x4x4_16b_i8, MAI, SINCE_942(0x52), PLAIN, B128, B32, B32, B128, MFMA, M8, run)               \
  X(v_mfma_i32_32x32x8i8, MAI, UNTIL_90A(0x54), PLAIN, B512, B32, B32, B512, MFMA, M64, run)                 \
  X(v_mfma_f32_16x16x32_f16, MAI, ONLY_950(0x54), PLAIN, B128, B128, B128, B128, MFMA, M16, run)             \
  X(v_mfma_i32_16x16x16i8, MAI, UNTIL_90A(0x55), PLAIN, B128, B32, B32, B128, MFMA, M32, run)                \
  X(v_mfma_f32_32x32x16_f16, MAI, ONLY_950(0x55), PLAIN, B512, B128, B128, B512, MFMA, M32, run)             \
  X(v_mfma_i32_32x32x16_i8, MAI, SINCE_942(0x56), PLAIN, B512, B64, B64, B512, MFMA, M32, run)               \
  X(v_mfma_i32_16x16x32_i8, MAI, SINCE_942(0x57), PLAIN, B128, B64, B64, B128, MFMA, M16, run)               \
  X(v_accvgpr_read_b32, MAI, ALL(0x58), PLAIN, B32, ACC, NONE, NONE, VALU, R4, run)                          \
  X(v_accvgpr_write_b32, MAI, ALL(0x59), PLAIN, ACC, B32, NONE, NONE, VALU, R4, run)                         \
  X(v_mfma_f32_32x32x4_2b_bf16, MAI, SINCE_942(0x5d), PLAIN, B1024, B64, B64, B1024, MFMA, M64, run)         \
  X(v_mfma_f32_16x16x4_4b_bf16, MAI, SINCE_942(0x5e), PLAIN, B512, B64, B64, B512, MFMA, M32, run)           \
  X(v_mfma_f32_4x4x4_16b_bf16, MAI, SINCE_942(0x5f), PLAIN, B128, B64, B64, B128, MFMA, M8, run)             \
  X(v_mfma_f32_32x32x8_bf16, MAI, SINCE_942(0x60), PLAIN, B512, B64, B64, B512, MFMA, M32, run)              \
  X(v_mfma_f32_16x16x16_bf16, MAI, SINCE_942(0x61), PLAIN, B128, B64, B64, B128, MFMA, M16, run)             \
  X(v_mfma_f32_32x32x4bf16_1k, MAI, ONLY_90A(0x63), PLAIN, B1024, B64, B64, B1024, MFMA, M64, run)           \
  X(v_mfma_f32_16x16x4bf16_1k, MAI, ONLY_90A(0x64), PLAIN, B512, B64, B64, B512, MFMA, M32, run)             \
  X(v_mfma_f32_4x4x4bf16_1k, MAI, ONLY_90A(0x65), PLAIN, B128, B64, B64, B128, MFMA, M8, run)                \
  X(v_mfma_f32_32x32x8bf16_1k, MAI, ONLY_90A(0x66), PLAIN, B512, B64, B64, B512, MFMA, M64, run)             \
  X(v_mfma_f32_16x16x16bf16_1k, MAI, ONLY_90A(0x67), PLAIN, B128, B64, B64, B128, MFMA, M32, run)            \
  X(v_mfma_f32_32x32x2bf16, MAI, UNTIL_90A(0x68), PLAIN, B1024, B32, B32, B1024, MFMA, M64, run)             \
  X(v_mfma_f32_16x16x2bf16, MAI, UNTIL_90A(0x69), PLAIN, B512, B32, B32, B512, MFMA, M32, run)               \
  X(v_mfma_f32_4x4x2bf16, MAI, UNTIL_90A(0x6b), PLAIN, B128, B32, B32, B128, MFMA, M8, run)                  \
  X(v_mfma_f32_32x32x4bf16, MAI, UNTIL_90A(0x6c), PLAIN, B512, B32, B32, B512, MFMA, M64, run)               \
  X(v_mfma_f32_16x16x8bf16, MAI, UNTIL_90A(0x6d), PLAIN, B128, B32, B32, B128, MFMA, M32, run)               \
  X(v_mfma_f64_16x16x4f64, MAI, ONLY_90A(0x6e), PLAIN, B256, B64, B64, B256, MFMA, M64D, run)                \
  X(v_mfma_f64_16x16x4_f64, MAI, SINCE_942(0x6e), PLAIN, B256, B64, B64, B256, MFMA, M64D, run)              \
  X(v_mfma_f64_4x4x4f64, MAI, ONLY_90A(0x6f), PLAIN, B64, B64, B64, B64, MFMA, M16, run)                     \
  X(v_mfma_f64_4x4x4_4b_f64, MAI, SINCE_942(0x6f), PLAIN, B64, B64, B64, B64, MFMA, M16, run)                \
  X(v_mfma_f32_16x16x32_bf8_bf8, MAI, SINCE_942(0x70), PLAIN, B128, B64, B64, B128, MFMA, M16, none)         \
  X(v_mfma_f32_16x16x32_bf8_fp8, MAI, SINCE_942(0x71), PLAIN, B128, B64, B64, B128, MFMA, M16, none)         \
  X(v_mfma_f32_16x16x32_fp8_bf8, MAI, SINCE_942(0x72), PLAIN, B128, B64, B64, B128, MFMA, M16, none)         \
  X(v_mfma_f32_16x16x32_fp8_fp8, MAI, SINCE_942(0x73), PLAIN, B128, B64, B64, B128, MFMA, M16, none)         \
  X(v_mfma_f32_32x32x16_bf8_bf8, MAI, SINCE_942(0x74), PLAIN, B512, B64, B64, B512, MFMA, M32, none)         \
  X(v_mfma_f32_32x32x16_bf8_fp8, MAI, SINCE_942(0x75), PLAIN, B512, B64, B64, B512, MFMA, M32, none)         \
  X(v_mfma_f32_32x32x16_fp8_bf8, MAI, SINCE_942(0x76), PLAIN, B512, B64, B64, B512, MFMA, M32, none)         \
  X(v_mfma_f32_32x32x16_fp8_fp8, MAI, SINCE_942(0x77), PLAIN, B512, B64, B64, B512, MFMA, M32, none)

#endif
