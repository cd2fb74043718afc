/* Addresses whose low bits hardware drops without a word: those of scalar memory instructions (CDNA2 ISA guide, "Scalar
 * memory operations": byte addresses, the two low bits are ignored), and where a load that goes to LDS puts its dwords
 * (the same guide, "Memory buffer load to LDS"). */
#include "bench/hipsim/sim_check.h"

static bool scalar_is_aligned(struct sim_wave *w, const struct sim_inst *inst) {
  if (inst->src[0] >= SIM_EXEC_HI) {
    return true; /* a clock, or cache control */
  }
  uint64_t address = sim_read_s64(w, inst->src[0]) + (uint64_t)(int64_t)inst->imm;
  address += inst->soffset <= SIM_EXEC_HI ? w->s[inst->soffset] : 0;
  if (address % 4u != 0) {
    sim_wave_fault(w, -1,
                   "scalar access at 0x%llx, which is no multiple of 4: hardware drops the two low bits",
                   (unsigned long long)address);
    return false;
  }
  return true;
}

bool sim_check_alignment(struct sim_wave *w, const struct sim_check_entry *e) {
  if (e->traits & SIM_TRAIT_SMEM) {
    return e->inst->op == SIM_OP_s_sendmsg || scalar_is_aligned(w, e->inst);
  }
  uint32_t place = w->s[SIM_M0] & 0xffffu;
  if (place % 4u != 0) {
    sim_wave_fault(
        w, -1, "load to LDS byte %u (M0), which is no multiple of 4: hardware drops the two low bits", place);
    return false;
  }
  return true;
}
