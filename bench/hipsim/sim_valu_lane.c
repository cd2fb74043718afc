/* Vector ALU: instructions that look at single lanes or count them. EXEC does not stop v_readlane and
 * v_writelane (CDNA2 ISA guide). */
#include "bench/hipsim/sim_valu.h"

/* A lane number or a value that is the same for all lanes. */
static uint32_t uniform(const struct sim_wave *w, const struct sim_inst *inst, unsigned i) {
  return sim_scalar32(w, inst, inst->src[i]);
}

static uint32_t read_lane(const struct sim_wave *w, const struct sim_inst *inst, unsigned lane) {
  unsigned code = inst->src[0];
  return code < SIM_VGPR0 ? sim_scalar32(w, inst, code) : w->v[code - SIM_VGPR0][lane];
}

SIM_DO(v_readfirstlane_b32) {
  uint64_t exec = sim_exec(w);
  w->s[inst->dst] = read_lane(w, inst, exec ? (unsigned)__builtin_ctzll(exec) : 0);
}

SIM_DO(v_readlane_b32) {
  w->s[inst->dst] = read_lane(w, inst, uniform(w, inst, 1) & 63);
}

SIM_DO(v_writelane_b32) {
  w->v[inst->dst - SIM_VGPR0][uniform(w, inst, 1) & 63] = uniform(w, inst, 0);
}

/* Counts the bits of source 0 that stand for lanes below the lane itself; base: the first lane source 0 speaks of. */
static void count_below(struct sim_wave *w, const struct sim_inst *inst, int base) {
  sim_lanes ra, rb, room;
  const uint32_t *pa = sim_src(w, inst, 0, ra), *pb = sim_src(w, inst, 1, rb);
  uint32_t *d = sim_begin(w, inst, room);
  for (int l = 0; l < SIM_LANES; l++) {
    int below = l - base;
    uint32_t mask = below <= 0 ? 0 : below >= 32 ? UINT32_MAX : (1u << below) - 1;
    d[l] = (uint32_t)__builtin_popcount(pa[l] & mask) + pb[l];
  }
  sim_end(w, inst, d, room);
}

SIM_DO(v_mbcnt_lo_u32_b32) {
  count_below(w, inst, 0);
}

SIM_DO(v_mbcnt_hi_u32_b32) {
  count_below(w, inst, 32);
}
