/* Bits of an encoding that must be zero, as LLVM's disassembler has it: modifiers that an instruction does not take, fields
 * of operands that it does not have. */
#ifndef SIM_RESERVED_H
#define SIM_RESERVED_H

#include "bench/hipsim/sim_table.h"

enum sim_encoding { SIM_ENC_OWN, SIM_ENC_WIDE, SIM_ENC_SDWA, SIM_ENC_DPP, SIM_ENCODINGS };

/* Bits 0..31 are the first dword's. */
uint64_t sim_reserved_bits(unsigned op, enum sim_arch arch, enum sim_encoding encoding);

/* In VOP3, bits 11 to 14 choose halves of the operands; where they do not, they are ignored. */
bool sim_has_op_sel(unsigned op);

/* Packed instructions on bytes and nibbles, whose op_sel_hi means nothing and whose op_sel is zero. */
bool sim_takes_whole_dwords(unsigned op);

/* Of VOP3, a bit a source whose neg and abs mean something: the floating-point ones, and those of v_cndmask. */
unsigned sim_modifiable_sources(unsigned op);

#endif
