/* The instruction table: one row an instruction, from which the enumeration, the names, the decoder, the
 * disassembler and the handler tables all grow.
 *
 *   X(name, format, opcodes, forms, dst, src0, src1, src2, class, rate, handler)
 *
 * name     as LLVM prints it, without _e32, _e64, _sdwa and _dpp.
 * format   SIM_FMT_*: which encoding the opcode belongs to.
 * opcodes  by arch: ALL(n), SINCE_90A(n), UNTIL_90A(n), ...
 * forms    which other encodings it has: E 64-bit (VOP3), S sub-dword (SDWA), D data-parallel (DPP), CARRY_
 * with a scalar destination in all of them; SDST a VOP3 with a scalar destination beside the vector one. dst,
 * src kind of each operand (SIM_K_*). Memory: src0 address, src1 data, src2 resource, scalar base or, in LDS
 * instructions, second data; dst what is loaded, or the old value of an atomic with glc. class    what it is
 * counted as. rate     SIMD cycles of a wave-instruction (SIM_RATE_*). handler  run: the function
 * SIM_NAME(sim_do_<name>) executes it. none: it decodes; to run it is an error that names it.
 *
 * Opcodes are those of AMD's CDNA1, CDNA2, CDNA3 and CDNA4 instruction set guides, chapter "Microcode
 * formats", as LLVM's assembler encodes them. */
#ifndef SIM_TABLE_H
#define SIM_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/hipsim/sim_inst.h"
#include "bench/hipsim/sim_rows_compare.h"
#include "bench/hipsim/sim_rows_matrix.h"
#include "bench/hipsim/sim_rows_memory.h"
#include "bench/hipsim/sim_rows_scalar.h"
#include "bench/hipsim/sim_rows_vector.h"

#define SIM_TABLE(X)                                                                                         \
  SIM_ROWS_SOP1(X)                                                                                           \
  SIM_ROWS_SOP2(X)                                                                                           \
  SIM_ROWS_SOPC(X)                                                                                           \
  SIM_ROWS_SOPK(X)                                                                                           \
  SIM_ROWS_SOPP(X)                                                                                           \
  SIM_ROWS_VOP1(X)                                                                                           \
  SIM_ROWS_VOP2(X)                                                                                           \
  SIM_ROWS_VOPC(X)                                                                                           \
  SIM_ROWS_VOP3(X)                                                                                           \
  SIM_ROWS_VOP3P(X)                                                                                          \
  SIM_ROWS_MAI(X)                                                                                            \
  SIM_ROWS_SMEM(X)                                                                                           \
  SIM_ROWS_DS(X)                                                                                             \
  SIM_ROWS_FLAT(X)                                                                                           \
  SIM_ROWS_GLOBAL(X)                                                                                         \
  SIM_ROWS_SCRATCH(X)                                                                                        \
  SIM_ROWS_MUBUF(X)

enum sim_op {
  SIM_OP_UNKNOWN, /* no instruction: an entry that does not decode */
#define SIM_ROW(name, ...) SIM_OP_##name,
  SIM_TABLE(SIM_ROW)
#undef SIM_ROW
      SIM_OP_COUNT,
};

enum sim_format {
  SIM_FMT_SOP1,
  SIM_FMT_SOP2,
  SIM_FMT_SOPC,
  SIM_FMT_SOPK,
  SIM_FMT_SOPP,
  SIM_FMT_SMEM,
  SIM_FMT_VOP1,
  SIM_FMT_VOP2,
  SIM_FMT_VOP2K, /* VOP2 with a literal that is an operand of its own (v_madmk_f32) */
  SIM_FMT_VOPC,
  SIM_FMT_VOP3,
  SIM_FMT_VOP3P,
  SIM_FMT_MAI, /* in the encoding space of VOP3P */
  SIM_FMT_DS,
  SIM_FMT_FLAT,
  SIM_FMT_GLOBAL,
  SIM_FMT_SCRATCH,
  SIM_FMT_MUBUF,
};

/* Kind of an operand: its width, and what an inline floating-point constant means to it. */
enum sim_kind {
  SIM_K_NONE,
  SIM_K_B16,
  SIM_K_F16,
  SIM_K_P16,  /* two 16-bit integers */
  SIM_K_PF16, /* two f16 */
  SIM_K_BF16,
  SIM_K_PBF16, /* two bf16 */
  SIM_K_B32,
  SIM_K_F32,
  SIM_K_MIX,  /* f32, or one half of a dword as f16: VOP3P's op_sel says */
  SIM_K_ACC,  /* an AGPR */
  SIM_K_SGPR, /* a scalar register, where a VGPR would be expected */
  SIM_K_B64,
  SIM_K_F64,
  SIM_K_PF32, /* two f32 */
  SIM_K_MASK, /* a bit a lane, in a scalar pair */
  SIM_K_SDST, /* a mask as destination: VCC in the short encodings */
  SIM_K_B96,
  SIM_K_B128,
  SIM_K_B192,
  SIM_K_B256,
  SIM_K_B512,
  SIM_K_B1024,
  SIM_KINDS
};

enum sim_class {
  SIM_CLASS_SALU,
  SIM_CLASS_VALU,
  SIM_CLASS_SMEM,
  SIM_CLASS_LOAD,
  SIM_CLASS_STORE, /* atomics too */
  SIM_CLASS_LDS,
  SIM_CLASS_MFMA,
  SIM_CLASS_BRANCH,
  SIM_CLASS_BARRIER,
  SIM_CLASS_OTHER,
  SIM_CLASSES
};

enum {
  SIM_FORM_E = 1,
  SIM_FORM_S = 2,
  SIM_FORM_D = 4,
  SIM_FORM_CARRY = 8,
  SIM_FORM_SDST = 16,
};

struct sim_op_info {
  const char *name;
  int16_t opcode[SIM_ARCHS]; /* -1: the arch does not have it */
  uint8_t format;            /* enum sim_format */
  uint8_t forms;             /* SIM_FORM_* */
  uint8_t dst, src[3];       /* enum sim_kind */
  bool runs;                 /* it has a handler */
};

extern const struct sim_op_info sim_info[SIM_OP_COUNT];
extern const uint8_t sim_class_of[SIM_OP_COUNT];             /* enum sim_class */
extern const uint8_t sim_cycles_of[SIM_ARCHS][SIM_OP_COUNT]; /* SIMD cycles of a wave-instruction */
extern const uint8_t sim_kind_dwords[SIM_KINDS];

/* The handlers of the variant that runs on this host: NULL where a row has none (sim_variant.c). */
sim_handler *const *sim_variant_handlers(void);

/* Decodes one instruction at `words` (`count` dwords are readable) into *inst, all but the handler. Returns
 * its dwords, 0 when it is not an instruction (*inst is then of SIM_OP_UNKNOWN). */
unsigned sim_decode(const uint32_t *words, unsigned count, enum sim_arch arch, struct sim_inst *inst);

/* Text of a decoded instruction, as LLVM prints it; of a branch, the distance in dwords. */
void sim_disassemble(const struct sim_inst *inst, enum sim_arch arch, char *text, size_t size);

#endif
