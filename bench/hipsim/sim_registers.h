/* Which registers instructions name, against those that there are and those that a kernel declares. */
#ifndef SIM_REGISTERS_H
#define SIM_REGISTERS_H

#include "bench/hipsim/sim_machine.h"

struct sim_registers {
  uint16_t vgprs, agprs, sgprs; /* the highest that is named, plus one */
  bool fits;                    /* no operand runs past the end of its register file */
  bool suits;                   /* no vector register stands where a scalar must, nor the reverse */
  bool aligned;                 /* 64 bits and more begin at an even VGPR or AGPR */
};

struct sim_registers sim_registers_of(const struct sim_inst *inst);

/* gfx90a and later want even vector registers for operands of 64 bits and more (CDNA2 ISA guide, "VGPR
 * alignment"). */
static inline bool sim_registers_align(enum sim_arch arch) {
  return arch >= SIM_GFX90A;
}

/* The first instruction, on the ways that branches lead from the kernel's entry, that names a register beyond
 * those the kernel declares; NULL when there is none (or memory ran out). Calls through registers are not
 * followed. */
const struct sim_inst *sim_registers_excess(const struct sim_kernel *kernel);

#endif
