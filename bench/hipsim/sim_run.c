/* The run loop of a wave. Compiled once a variant, beside the handlers it calls. */
#include "bench/hipsim/sim_wave.h"

#define JOIN(a, b)  a##b
#define NAME(a, b)  JOIN(a, b)
#define RUN_VARIANT NAME(sim_run_, SIM_VARIANT)

void RUN_VARIANT(struct sim_wave *w, uint64_t count) {
  const struct sim_inst *at = w->code->at;
  const uint64_t base = w->code->base, dwords = w->code->size / 4;
  uint64_t *hits = w->hits;
  uint64_t left = count;
  while (left > 0 && w->state == SIM_RUNNING) {
    uint64_t offset = w->pc - base;
    uint64_t index = offset >> 2 | offset << 62; /* a pc that is no multiple of 4 becomes huge as well */
    if (index >= dwords) {
      sim_wave_fault(w, -1, "jump to address 0x%llx, outside the code", (unsigned long long)w->pc);
      break;
    }
    const struct sim_inst *inst = &at[index];
    w->now = inst;
    w->pc += inst->next;
    hits[inst->op]++;
    left--;
    inst->run(w, inst);
  }
  w->executed += count - left;
}
