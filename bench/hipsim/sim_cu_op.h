/* Instructions as the model of a CU sees them: which unit they need, for how long, when their result is there, and which
 * vector registers tie them to matrix instructions in flight. */
#ifndef SIM_CU_OP_H
#define SIM_CU_OP_H

#include "bench/hipsim/sim_machine.h"

/* A SIMD issues at most one instruction a turn to each, from different waves. */
enum sim_cu_unit {
  SIM_CU_INTERNAL, /* s_nop, s_waitcnt and the like: no unit */
  SIM_CU_SALU,
  SIM_CU_SMEM,
  SIM_CU_BRANCH,
  SIM_CU_VALU,
  SIM_CU_MATRIX, /* issued through the VALU's port */
  SIM_CU_LDS,
  SIM_CU_VMEM,
  SIM_CU_UNITS
};

enum sim_cu_kind {
  SIM_CU_PLAIN,
  SIM_CU_NOP, /* value: clocks */
  SIM_CU_WAITCNT,
  SIM_CU_BARRIER,
  SIM_CU_END,
  SIM_CU_PRIORITY, /* value: 0..3 */
};

/* Registers [first, end) of the 512: VGPRs, then AGPRs. Empty when end is 0. */
struct sim_cu_range {
  uint16_t first, end;
};

struct sim_cu_op {
  bool known; /* filled in */
  uint8_t unit, kind;
  bool store, streaming;   /* streaming: does not look into the L1 (glc, atomics) */
  bool counts_lgkm;        /* vector memory that LDS or scalar memory waits also cover (FLAT) */
  uint8_t lds_clocks;      /* vector memory that goes on to LDS */
  uint8_t lds_in, lds_out; /* LDS: clocks of a port for addresses and data, and for what comes back */
  uint8_t vm, lgkm;        /* waitcnt: how many may be left */
  uint8_t dwords;          /* of the encoding */
  uint16_t clocks;         /* the unit is busy */
  uint32_t value;
  struct sim_cu_range write, read[3]; /* read[2] of a matrix instruction is its accumulator */
};

void sim_cu_op_fill(struct sim_cu_op *op, const struct sim_inst *inst, enum sim_arch arch);

#endif
