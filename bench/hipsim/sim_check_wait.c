/* Registers that are used before the s_waitcnt that their load needs.
 *
 * CDNA2 ISA guide, "Data dependency resolution", and LLVM's SIInsertWaitcnts for what may overtake what: vector
 * memory returns in order, LDS returns in order, scalar loads return in any order (only lgkmcnt(0) helps), flat
 * loads count in both counters and may return early in either (only zero in both helps). Stores read their data when
 * they are issued, so that those registers are free at once; a load may overwrite what an earlier one of the same
 * kind is still to write. */
#include <string.h>

#include "bench/hipsim/sim_check.h"

static void forget(struct sim_check_wave *c, const struct sim_check_load *load) {
  for (unsigned i = 0; i < load->dwords; i++) {
    if (c->serial[load->first + i] == load->serial) {
      c->state[load->first + i] &= (uint8_t)~load->bits;
    }
  }
}

static void forget_oldest(struct sim_wave *w, struct sim_check_queue *queue, uint32_t count) {
  struct sim_check_wave *c = sim_check_of(w);
  for (uint32_t i = 0; i < count; i++) {
    queue->disordered -= queue->load[i].disordered;
    forget(c, &queue->load[i]);
  }
  sim_lds_arrive(w->lds_shadow, w->number, queue == &c->vm ? SIM_LDS_LANDING : SIM_LDS_STORED,
                 queue->load[count - 1].serial);
  queue->count -= count;
  memmove(queue->load, queue->load + count, queue->count * sizeof queue->load[0]);
}

/* At most `left` may still be in flight. */
static void wait_for(struct sim_wave *w, struct sim_check_queue *queue, uint32_t left) {
  if (queue->count > left && (left == 0 || queue->disordered == 0)) {
    forget_oldest(w, queue, queue->count - left);
  }
}

void sim_check_loads_wait(struct sim_wave *w, uint32_t counts) {
  struct sim_check_wave *c = sim_check_of(w);
  wait_for(w, &c->vm, (counts & 15u) | (counts >> 14 & 3u) << 4);
  wait_for(w, &c->lgkm, counts >> 8 & 15u);
}

static void push(struct sim_wave *w, struct sim_check_queue *queue, struct sim_check_load load) {
  if (queue->count == SIM_MOST_PENDING) { /* the counter is full: hardware waits for the oldest */
    forget_oldest(w, queue, 1);
  }
  queue->load[queue->count++] = load;
  queue->disordered += load.disordered;
}

/* A load that goes to LDS fills `size` bytes a lane, lane by lane from M0 and the instruction's offset on. */
static void start_landing(struct sim_wave *w, const struct sim_check_entry *e, uint32_t serial) {
  uint32_t size = e->bytes < 4 ? 4 : e->bytes;
  uint32_t base = (w->s[SIM_M0] & 0xffffu) + (uint32_t)e->inst->imm;
  struct sim_lds_flight flight = {.serial = serial, .size = size, .exec = sim_exec(w)};
  for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
    flight.address[lane] = base + lane * size;
  }
  sim_lds_leave(w->lds_shadow, w->number, SIM_LDS_LANDING, &flight);
}

void sim_check_loads_start(struct sim_wave *w, const struct sim_check_entry *e) {
  struct sim_check_wave *c = sim_check_of(w);
  bool flat = (e->traits & SIM_TRAIT_FLAT) != 0;
  struct sim_check_load load = {.disordered = flat || (e->traits & SIM_TRAIT_SMEM) != 0,
                                .serial = ++c->serials};
  for (unsigned i = 0; i < e->operands.count; i++) {
    const struct sim_range *r = &e->operands.range[i];
    if ((r->use & (SIM_USE_WRITE | SIM_USE_DATA)) == (SIM_USE_WRITE | SIM_USE_DATA)) {
      load.first = r->first;
      load.dwords = r->dwords;
    }
  }
  for (unsigned i = 0; i < load.dwords; i++) {
    c->state[load.first + i] |= e->pending;
    c->serial[load.first + i] = load.serial;
  }
  if (flat || (e->traits & SIM_TRAIT_VMEM)) {
    load.bits = SIM_REG_VM;
    push(w, &c->vm, load);
  }
  if (flat || !(e->traits & SIM_TRAIT_VMEM)) {
    load.bits = SIM_REG_LGKM;
    push(w, &c->lgkm, load);
  }
  if (e->traits & SIM_TRAIT_TO_LDS) {
    start_landing(w, e, load.serial);
  }
}

/* A load may write what an earlier load of its kind will: they come back in order. */
static unsigned allowed(const struct sim_check_wave *c, const struct sim_check_entry *e,
                        const struct sim_range *r) {
  if (!(r->use & SIM_USE_WRITE) || !(r->use & SIM_USE_DATA) ||
      (e->traits & (SIM_TRAIT_FLAT | SIM_TRAIT_SMEM))) {
    return 0;
  }
  if (e->traits & SIM_TRAIT_VMEM) {
    return c->vm.disordered == 0 ? SIM_REG_VM : 0;
  }
  return c->lgkm.disordered == 0 ? SIM_REG_LGKM : 0;
}

bool sim_check_loads_before(struct sim_wave *w, const struct sim_check_entry *e) {
  const struct sim_check_wave *c = sim_check_of(w);
  for (unsigned i = 0; i < e->operands.count; i++) {
    const struct sim_range *r = &e->operands.range[i];
    bool merges =
        (r->use & SIM_USE_READ) && r->slot == SIM_SLOT_DST && e->pending != 0; /* d16: merged on arrival */
    unsigned harmless = merges ? SIM_REG_VM | SIM_REG_LGKM : allowed(c, e, r);
    for (unsigned d = 0; d < r->dwords; d++) {
      unsigned bits = c->state[r->first + d] & (SIM_REG_VM | SIM_REG_LGKM) & ~harmless;
      if (bits != 0) {
        char name[16];
        sim_check_name(r->first + d, name);
        sim_wave_fault(w, -1,
                       "%s is %s while a load into it is still in flight: an s_waitcnt of %s is missing",
                       name, r->use & SIM_USE_WRITE ? "written" : "read",
                       bits == (SIM_REG_VM | SIM_REG_LGKM) ? "vmcnt(0) and lgkmcnt(0)"
                       : bits == SIM_REG_VM                ? "vmcnt"
                                                           : "lgkmcnt");
        return false;
      }
    }
  }
  return true;
}
