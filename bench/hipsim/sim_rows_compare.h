/* Rows of the instruction table: vector compares, by operand type. See sim_table.h for the columns. */
#ifndef SIM_ROWS_COMPARE_H
#define SIM_ROWS_COMPARE_H

#define SIM_COMPARE_ROW(X, name, opcode, kind, rate)                                                         \
  X(name, VOPC, ALL(opcode), SIM_FORMS_##kind, SDST, kind, kind, NONE, VALU, rate, run)

/* What the encodings of a compare are, by the width of what it compares. */
#define SIM_FORMS_F16 ES
#define SIM_FORMS_B16 ES
#define SIM_FORMS_F32 ES
#define SIM_FORMS_B32 ES
#define SIM_FORMS_F64 E
#define SIM_FORMS_B64 E

/* Sixteen conditions on floating-point numbers. */
#define SIM_COMPARE_FLOAT(X, prefix, type, base, kind, rate)                                                 \
  SIM_COMPARE_ROW(X, prefix##_f_##type, base + 0, kind, rate)                                                \
  SIM_COMPARE_ROW(X, prefix##_lt_##type, base + 1, kind, rate)                                               \
  SIM_COMPARE_ROW(X, prefix##_eq_##type, base + 2, kind, rate)                                               \
  SIM_COMPARE_ROW(X, prefix##_le_##type, base + 3, kind, rate)                                               \
  SIM_COMPARE_ROW(X, prefix##_gt_##type, base + 4, kind, rate)                                               \
  SIM_COMPARE_ROW(X, prefix##_lg_##type, base + 5, kind, rate)                                               \
  SIM_COMPARE_ROW(X, prefix##_ge_##type, base + 6, kind, rate)                                               \
  SIM_COMPARE_ROW(X, prefix##_o_##type, base + 7, kind, rate)                                                \
  SIM_COMPARE_ROW(X, prefix##_u_##type, base + 8, kind, rate)                                                \
  SIM_COMPARE_ROW(X, prefix##_nge_##type, base + 9, kind, rate)                                              \
  SIM_COMPARE_ROW(X, prefix##_nlg_##type, base + 10, kind, rate)                                             \
  SIM_COMPARE_ROW(X, prefix##_ngt_##type, base + 11, kind, rate)                                             \
  SIM_COMPARE_ROW(X, prefix##_nle_##type, base + 12, kind, rate)                                             \
  SIM_COMPARE_ROW(X, prefix##_neq_##type, base + 13, kind, rate)                                             \
  SIM_COMPARE_ROW(X, prefix##_nlt_##type, base + 14, kind, rate)                                             \
  SIM_COMPARE_ROW(X, prefix##_tru_##type, base + 15, kind, rate)

/* Eight conditions on integers. */
#define SIM_COMPARE_INTEGER(X, prefix, type, base, kind, rate)                                               \
  SIM_COMPARE_ROW(X, prefix##_f_##type, base + 0, kind, rate)                                                \
  SIM_COMPARE_ROW(X, prefix##_lt_##type, base + 1, kind, rate)                                               \
  SIM_COMPARE_ROW(X, prefix##_eq_##type, base + 2, kind, rate)                                               \
  SIM_COMPARE_ROW(X, prefix##_le_##type, base + 3, kind, rate)                                               \
  SIM_COMPARE_ROW(X, prefix##_gt_##type, base + 4, kind, rate)                                               \
  SIM_COMPARE_ROW(X, prefix##_ne_##type, base + 5, kind, rate)                                               \
  SIM_COMPARE_ROW(X, prefix##_ge_##type, base + 6, kind, rate)                                               \
  SIM_COMPARE_ROW(X, prefix##_t_##type, base + 7, kind, rate)

#define SIM_ROWS_VOPC(X)                                                                                     \
  X(v_cmp_class_f32, VOPC, ALL(0x10), ES, SDST, F32, B32, NONE, VALU, R4, run)                               \
  X(v_cmpx_class_f32, VOPC, ALL(0x11), ES, SDST, F32, B32, NONE, VALU, R4, run)                              \
  X(v_cmp_class_f64, VOPC, ALL(0x12), E, SDST, F64, B32, NONE, VALU, RD, run)                                \
  X(v_cmpx_class_f64, VOPC, ALL(0x13), E, SDST, F64, B32, NONE, VALU, RD, run)                               \
  X(v_cmp_class_f16, VOPC, ALL(0x14), ES, SDST, F16, B16, NONE, VALU, R4, run)                               \
  X(v_cmpx_class_f16, VOPC, ALL(0x15), ES, SDST, F16, B16, NONE, VALU, R4, run)                              \
  SIM_COMPARE_FLOAT(X, v_cmp, f16, 0x20, F16, R4)                                                            \
  SIM_COMPARE_FLOAT(X, v_cmpx, f16, 0x30, F16, R4)                                                           \
  SIM_COMPARE_FLOAT(X, v_cmp, f32, 0x40, F32, R4)                                                            \
  SIM_COMPARE_FLOAT(X, v_cmpx, f32, 0x50, F32, R4)                                                           \
  SIM_COMPARE_FLOAT(X, v_cmp, f64, 0x60, F64, RD)                                                            \
  SIM_COMPARE_FLOAT(X, v_cmpx, f64, 0x70, F64, RD)                                                           \
  SIM_COMPARE_INTEGER(X, v_cmp, i16, 0xa0, B16, R4)                                                          \
  SIM_COMPARE_INTEGER(X, v_cmp, u16, 0xa8, B16, R4)                                                          \
  SIM_COMPARE_INTEGER(X, v_cmpx, i16, 0xb0, B16, R4)                                                         \
  SIM_COMPARE_INTEGER(X, v_cmpx, u16, 0xb8, B16, R4)                                                         \
  SIM_COMPARE_INTEGER(X, v_cmp, i32, 0xc0, B32, R4)                                                          \
  SIM_COMPARE_INTEGER(X, v_cmp, u32, 0xc8, B32, R4)                                                          \
  SIM_COMPARE_INTEGER(X, v_cmpx, i32, 0xd0, B32, R4)                                                         \
  SIM_COMPARE_INTEGER(X, v_cmpx, u32, 0xd8, B32, R4)                                                         \
  SIM_COMPARE_INTEGER(X, v_cmp, i64, 0xe0, B64, R8)                                                          \
  SIM_COMPARE_INTEGER(X, v_cmp, u64, 0xe8, B64, R8)                                                          \
  SIM_COMPARE_INTEGER(X, v_cmpx, i64, 0xf0, B64, R8)                                                         \
  SIM_COMPARE_INTEGER(X, v_cmpx, u64, 0xf8, B64, R8)

#endif
