/* Which block of A a block of a matrix instruction multiplies; for all element types. */
#ifndef SIM_MFMA_BLOCKS_H
#define SIM_MFMA_BLOCKS_H

#include "bench/hipsim/sim_handlers.h"

/* CBSZ and ABID: each 2^CBSZ neighbouring blocks take A from the one numbered ABID among them. A CBSZ that joins more blocks
 * than there are stays within them: their number is a power of two. */
SIM_ALWAYS unsigned block_of_a(const struct sim_inst *inst, unsigned blocks, unsigned block) {
  unsigned cbsz = inst->lane_ctl & 7u, abid = inst->lane_ctl >> 8 & 0xffu;
  unsigned source = cbsz == 0 ? block : (block >> cbsz << cbsz) | (abid & ((1u << cbsz) - 1u));
  return source & (blocks - 1u);
}

#endif
