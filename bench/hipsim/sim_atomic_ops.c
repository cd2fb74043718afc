/* Atomics on memory: GLOBAL, FLAT and MUBUF. With glc the old value is returned. */
#include "bench/hipsim/sim_atomic.h"
#include "bench/hipsim/sim_buffer.h"
#include "bench/hipsim/sim_handlers.h"

static void return_old(struct sim_wave *w, const struct sim_inst *inst, unsigned dwords, unsigned lane,
                       uint64_t old) {
  if ((inst->flags & SIM_F_GLC) == 0 || inst->dst == SIM_NO_OPERAND) {
    return;
  }
  sim_vreg *to = sim_vector(w, inst->dst);
  to[0][lane] = (uint32_t)old;
  if (dwords == 2) {
    to[1][lane] = (uint32_t)(old >> 32);
  }
}

SIM_ALWAYS void flat_atomic(struct sim_wave *w, const struct sim_inst *inst, enum sim_atomic_op op,
                            unsigned dwords) {
  const sim_vreg *v = sim_vector(w, inst->src[0]), *data = sim_vector(w, inst->src[1]);
  bool has_base = inst->src[2] != SIM_NO_OPERAND;
  uint64_t base = (uint64_t)(int64_t)inst->imm + (has_base ? sim_read_s64(w, inst->src[2]) : 0);
  for (uint64_t left = sim_exec(w); left != 0; left &= left - 1) {
    unsigned lane = (unsigned)__builtin_ctzll(left);
    uint64_t address = base + v[0][lane] + (has_base ? 0 : (uint64_t)v[1][lane] << 32);
    uint32_t mode = address >> 48 == SIM_SHARED_APERTURE >> 48 ? w->mode : sim_memory_denormals(w);
    void *place = sim_access_flat(w, SIM_VERB_ATOMIC, address, 4u * dwords, (int)lane);
    if (place == NULL) {
      return;
    }
    sim_buffer_count(w, SIM_VERB_ATOMIC, 4u * dwords, 1);
    return_old(w, inst, dwords, lane, sim_atomic_lane(op, dwords, place, data, lane, mode));
  }
}

#define global_atomic flat_atomic

/* Out of range: nothing changes, and the old value reads as zero. */
SIM_ALWAYS void buffer_atomic(struct sim_wave *w, const struct sim_inst *inst, enum sim_atomic_op op,
                              unsigned dwords) {
  struct sim_buffer buffer;
  uint64_t left = sim_exec(w);
  if (left == 0 || !sim_buffer_open(w, inst, &buffer)) {
    return;
  }
  const sim_vreg *data = sim_vector(w, inst->src[1]);
  for (; left != 0; left &= left - 1) {
    unsigned lane = (unsigned)__builtin_ctzll(left);
    uint64_t old = 0;
    if (sim_buffer_in_range(&buffer, lane, 0, 4u * dwords)) {
      uint64_t address = sim_buffer_address(&buffer, lane, 0);
      if (!sim_access_check(w, SIM_VERB_ATOMIC, address, 4u * dwords, (int)lane)) {
        return;
      }
      sim_buffer_count(w, SIM_VERB_ATOMIC, 4u * dwords, 1);
      old = sim_atomic_lane(op, dwords, sim_host(address), data, lane, sim_memory_denormals(w));
    }
    return_old(w, inst, dwords, lane, old);
  }
}

#define ATOMIC(space, name, op, dwords)                                                                      \
  SIM_DO(space##_atomic_##name) {                                                                            \
    space##_atomic(w, inst, op, dwords);                                                                     \
  }

SIM_ATOMICS(ATOMIC, global)
SIM_ATOMICS(ATOMIC, flat)
SIM_ATOMICS(ATOMIC, buffer)
