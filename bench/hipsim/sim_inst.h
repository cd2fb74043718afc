/* A decoded instruction, as the interpreter runs it.
 *
 * Operands are numbers in one space, an extension of the hardware's 9-bit source encoding (CDNA2 ISA guide,
 * "Scalar and vector operand encodings"): 0..127 SGPRs and the special scalar registers, 128..208 and
 * 240..248 inline constants, 251..253 VCCZ, EXECZ, SCC, 255 a literal that follows the instruction, 256..511
 * VGPRs, 512..767 AGPRs. */
#ifndef SIM_INST_H
#define SIM_INST_H

#include <stdint.h>

enum sim_arch { SIM_GFX908, SIM_GFX90A, SIM_GFX942, SIM_GFX950, SIM_ARCHS };

enum {
  SIM_SGPR0 = 0,
  SIM_FLAT_SCRATCH_LO = 102,
  SIM_XNACK_MASK_LO = 104,
  SIM_VCC_LO = 106,
  SIM_VCC_HI = 107,
  SIM_TTMP0 = 108,
  SIM_M0 = 124,
  SIM_NULL = 125, /* not on gfx9: LLVM decodes it all the same */
  SIM_EXEC_LO = 126,
  SIM_EXEC_HI = 127,
  SIM_INLINE_INT_0 = 128, /* 128 is 0, 129..192 are 1..64, 193..208 are -1..-16 */
  SIM_SHARED_BASE = 235,
  SIM_SHARED_LIMIT = 236,
  SIM_PRIVATE_BASE = 237,
  SIM_PRIVATE_LIMIT = 238,
  SIM_POPS_EXITING_WAVE_ID = 239, /* graphics only */
  SIM_INLINE_FLOAT_0 = 240,       /* 0.5 -0.5 1 -1 2 -2 4 -4 1/(2*pi) */
  SIM_VCCZ = 251,
  SIM_EXECZ = 252,
  SIM_SCC = 253,
  SIM_LDS_DIRECT = 254, /* graphics only */
  SIM_LITERAL = 255,
  SIM_VGPR0 = 256,
  SIM_AGPR0 = 512,
  SIM_NO_OPERAND = 0xffff,
};

struct sim_wave;
struct sim_inst;
typedef void sim_handler(struct sim_wave *wave, const struct sim_inst *inst);

/* 48 bytes: a few to a cache line, everything a handler needs. */
struct sim_inst {
  sim_handler *run;
  uint16_t op;     /* enum sim_op: the row of the instruction table */
  uint16_t next;   /* bytes of this instruction: 4, 8 or 12 */
  uint16_t dst;    /* vector or scalar destination; SIM_NO_OPERAND */
  uint16_t sdst;   /* second, scalar destination (carry out, VOPC in VOP3); SIM_NO_OPERAND */
  uint16_t src[3]; /* ALU: sources in order. Memory: src[0] address (VGPR), src[1] data (VGPR or AGPR), src[2]
                      SGPR base or resource (SIM_NO_OPERAND: off) */
  uint16_t soffset; /* MUBUF and SMEM: SGPR offset; SIM_NO_OPERAND */
  uint32_t literal; /* value of a SIM_LITERAL source */
  int32_t
      imm; /* SOPK/SOPP immediate (sign-extended), memory offset (sign-extended), branch distance in bytes */
  uint8_t offset1;   /* DS: second offset; imm is the first */
  uint8_t neg, abs;  /* VOP3, SDWA, DPP, VOP3P neg_lo: a bit a source */
  uint8_t neg_hi;    /* VOP3P */
  uint8_t op_sel;    /* VOP3 and VOP3P: a bit a source, bit 3 the destination */
  uint8_t op_sel_hi; /* VOP3P */
  uint8_t omod;      /* 0 none, 1 *2, 2 *4, 3 /2 */
  uint32_t lane_ctl; /* SDWA: the encoding's second word; DPP: the same; MFMA: cbsz | abid<<8 | blgp<<16 */
  uint32_t flags;    /* SIM_F_* */
};

enum {
  SIM_F_CLAMP = 1,
  SIM_F_GLC = 2,    /* sc0 on gfx942 and later */
  SIM_F_SLC = 4,    /* nt */
  SIM_F_SC1 = 8,    /* scc on gfx90a */
  SIM_F_OFFEN = 16, /* SMEM: an immediate stands beside the register, if only a zero */
  SIM_F_IDXEN = 32,
  SIM_F_LDS = 64,      /* direct to LDS; DS: gds */
  SIM_F_SDWA = 128,    /* lane_ctl is an SDWA word */
  SIM_F_DPP = 256,     /* lane_ctl is a DPP word */
  SIM_F_SOURCE = 512,  /* a vector ALU source is not read as it stands: neg, abs, op_sel, SDWA, DPP */
  SIM_F_TFE = 2048,    /* MUBUF: status follows the data */
  SIM_F_RESULT = 1024, /* the result is not written as it stands: omod, clamp, 16 bits, SDWA, DPP */
};

#endif
