/* Which registers an instruction reads and writes: the one description that the strict checks and the time model
 * go by. Derived from the operand columns of the instruction table and a short list of what they do not say (SCC,
 * VCC and EXEC that are not written out, accumulators, M0). */
#ifndef SIM_OPERANDS_H
#define SIM_OPERANDS_H

#include "bench/hipsim/sim_table.h"

enum sim_use {
  SIM_USE_READ = 1,
  SIM_USE_WRITE = 2,
  SIM_USE_ADDRESS = 4, /* read: part of an address, a resource or an offset of memory or LDS */
  SIM_USE_DATA = 8,    /* read: what is stored; written: what is loaded, there when a counter says so */
  SIM_USE_MASK = 16,   /* a bit a lane, in a scalar pair */
  SIM_USE_PARTIAL = 32 /* written in part: the rest of the dword, or lanes beside EXEC, keeps its value */
};

/* Where the operand stands in struct sim_inst. */
enum sim_slot {
  SIM_SLOT_SRC0,
  SIM_SLOT_SRC1,
  SIM_SLOT_SRC2,
  SIM_SLOT_DST,
  SIM_SLOT_SDST,
  SIM_SLOT_SOFFSET,
  SIM_SLOT_IMPLIED
};

/* `dwords` neighbouring registers, numbered as operands are (sim_inst.h); SIM_SCC for SCC. */
struct sim_range {
  uint16_t first;
  uint8_t dwords;
  uint8_t use;  /* SIM_USE_* */
  uint8_t slot; /* enum sim_slot */
};

enum { SIM_MOST_RANGES = 10 };

struct sim_operands {
  uint8_t count;
  struct sim_range range[SIM_MOST_RANGES];
};

/* Fills *operands; constants are left out. Nothing is read or written by an instruction that does not decode. */
void sim_operands_of(const struct sim_inst *inst, struct sim_operands *operands);

#endif
