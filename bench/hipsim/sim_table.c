/* The tables that do not depend on the variant. */
#include "bench/hipsim/sim_table.h"

/* ---- columns ---- */

#define NO               (-1)
#define ALL(n)           n, n, n, n
#define SINCE_90A(n)     NO, n, n, n
#define SINCE_942(n)     NO, NO, n, n
#define ONLY_908(n)      n, NO, NO, NO
#define ONLY_90A(n)      NO, n, NO, NO
#define ONLY_942(n)      NO, NO, n, NO
#define ONLY_950(n)      NO, NO, NO, n
#define UNTIL_90A(n)     n, n, NO, NO
#define UNTIL_942(n)     n, n, n, NO
#define NOT_942(n)       n, n, NO, n
#define EACH(a, b, c, d) a, b, c, d

#define PLAIN     0
#define E         SIM_FORM_E
#define D         SIM_FORM_D
#define ES        (SIM_FORM_E | SIM_FORM_S)
#define ED        (SIM_FORM_E | SIM_FORM_D)
#define ESD       (SIM_FORM_E | SIM_FORM_S | SIM_FORM_D)
#define SD        (SIM_FORM_S | SIM_FORM_D)
#define CARRY_ESD (SIM_FORM_CARRY | SIM_FORM_E | SIM_FORM_S | SIM_FORM_D)
#define SDST      SIM_FORM_SDST

#define RUNS_run  true
#define RUNS_none false

#define ROW(op, fmt, opcodes, ways, d, s0, s1, s2, class, rate, handler)                                     \
  [SIM_OP_##op] = {.name = #op,                                                                              \
                   .opcode = {opcodes},                                                                      \
                   .format = SIM_FMT_##fmt,                                                                  \
                   .forms = ways,                                                                            \
                   .dst = SIM_K_##d,                                                                         \
                   .src = {SIM_K_##s0, SIM_K_##s1, SIM_K_##s2},                                              \
                   .runs = RUNS_##handler},
const struct sim_op_info sim_info[SIM_OP_COUNT] = {
    [SIM_OP_UNKNOWN] = {.name = "unknown", .opcode = {NO, NO, NO, NO}}, SIM_TABLE(ROW)};
#undef ROW

#define ROW(op, fmt, opcodes, ways, d, s0, s1, s2, class, rate, handler) [SIM_OP_##op] = SIM_CLASS_##class,
const uint8_t sim_class_of[SIM_OP_COUNT] = {[SIM_OP_UNKNOWN] = SIM_CLASS_OTHER, SIM_TABLE(ROW)};
#undef ROW

/* SIMD cycles of a wave-instruction on gfx908, gfx90a, gfx942, gfx950. A SIMD has 16 lanes, so that a
 * full-rate instruction takes four cycles; quarter-rate are 32-bit integer multiplies and transcendentals
 * (CDNA ISA guides, LLVM SISchedule.td). f64 runs at half rate on gfx908 and at full rate since (peak f64
 * vector figures of the data sheets). Matrix instructions: passes of four cycles, from
 * ROCm/amd_matrix_instruction_calculator; they agree with the published peaks (gfx90a f16: 16384 FLOP * 4
 * SIMDs * 110 CUs * 1.7 GHz / 64 = 191 TFLOP/s a die). */
#define RATE_R4             4, 4, 4, 4
#define RATE_R8             8, 8, 8, 8
#define RATE_R16            16, 16, 16, 16
#define RATE_R32            32, 32, 32, 32
#define RATE_RD             8, 4, 4, 4
#define RATE_M8             8, 8, 8, 8
#define RATE_M16            16, 16, 16, 16
#define RATE_M32            32, 32, 32, 32
#define RATE_M64            64, 64, 64, 64
#define RATE_M64D           32, 32, 32, 64 /* f64: halved on gfx950 */
#define FIRST_(a, b, c, d)  a
#define SECOND_(a, b, c, d) b
#define THIRD_(a, b, c, d)  c
#define FOURTH_(a, b, c, d) d
#define PICK(which, ...)    which(__VA_ARGS__)

#define ROW0(op, fmt, opcodes, ways, d, s0, s1, s2, class, rate, handler)                                    \
  [SIM_OP_##op] = PICK(FIRST_, RATE_##rate),
#define ROW1(op, fmt, opcodes, ways, d, s0, s1, s2, class, rate, handler)                                    \
  [SIM_OP_##op] = PICK(SECOND_, RATE_##rate),
#define ROW2(op, fmt, opcodes, ways, d, s0, s1, s2, class, rate, handler)                                    \
  [SIM_OP_##op] = PICK(THIRD_, RATE_##rate),
#define ROW3(op, fmt, opcodes, ways, d, s0, s1, s2, class, rate, handler)                                    \
  [SIM_OP_##op] = PICK(FOURTH_, RATE_##rate),
const uint8_t sim_cycles_of[SIM_ARCHS][SIM_OP_COUNT] = {
    {SIM_TABLE(ROW0)}, {SIM_TABLE(ROW1)}, {SIM_TABLE(ROW2)}, {SIM_TABLE(ROW3)}};

const uint8_t sim_kind_dwords[SIM_KINDS] = {
    [SIM_K_NONE] = 0, [SIM_K_B16] = 1,   [SIM_K_F16] = 1,    [SIM_K_P16] = 1,  [SIM_K_PF16] = 1,
    [SIM_K_BF16] = 1, [SIM_K_PBF16] = 1, [SIM_K_B32] = 1,    [SIM_K_F32] = 1,  [SIM_K_MIX] = 1,
    [SIM_K_ACC] = 1,  [SIM_K_SGPR] = 1,  [SIM_K_B64] = 2,    [SIM_K_F64] = 2,  [SIM_K_PF32] = 2,
    [SIM_K_MASK] = 2, [SIM_K_SDST] = 2,  [SIM_K_B96] = 3,    [SIM_K_B128] = 4, [SIM_K_B192] = 6,
    [SIM_K_B256] = 8, [SIM_K_B512] = 16, [SIM_K_B1024] = 32,
};
