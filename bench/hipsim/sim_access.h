/* Access of device memory by lanes, shared by the memory instructions: where the lanes' bytes lie, checks,
 * and moves between registers and memory. */
#ifndef SIM_ACCESS_H
#define SIM_ACCESS_H

#include "bench/hipsim/sim_wave.h"

/* One address a lane. Those of inactive lanes repeat the active one in front of them, so that loops need no
 * mask. */
struct sim_lanes {
  int64_t address[SIM_LANES] __attribute__((aligned(64)));
  uint64_t exec;
};

enum sim_verb { SIM_VERB_LOAD, SIM_VERB_STORE, SIM_VERB_ATOMIC };

/* The span that holds [begin, end), if one does: those hit lately first. */
const struct sim_span *sim_access_search(struct sim_wave *w, uint64_t begin, uint64_t end);

/* Tests an access of one lane (or, lane < 0, of the whole wave). False: the wave is faulted with a report. */
bool sim_access_check(struct sim_wave *w, enum sim_verb verb, uint64_t address, uint32_t size, int lane);

/* Host address of `size` bytes at a flat address of one lane (memory, LDS or scratch); NULL: faulted. In
 * scratch only the bytes of one dword lie together. */
uint8_t *sim_access_flat(struct sim_wave *w, enum sim_verb verb, uint64_t address, uint32_t size, int lane);

/* `end` may have wrapped around. */
static inline bool sim_span_holds(const struct sim_span *span, uint64_t begin, uint64_t end) {
  uint64_t length = span->end - span->begin;
  return begin - span->begin < length && end - span->begin <= length;
}

static inline const struct sim_span *sim_access_span(struct sim_wave *w, uint64_t begin, uint64_t end) {
  const struct sim_span *span = w->spans[0];
  if (span != NULL && sim_span_holds(span, begin, end)) {
    return span;
  }
  return sim_access_search(w, begin, end);
}

/* A device address is a host address. */
static inline void *sim_host(uint64_t address) {
  return (void *)(uintptr_t)address;
}

/* Register array of a vector operand, VGPR or AGPR. */
static inline sim_vreg *sim_vector(const struct sim_wave *w, unsigned operand) {
  return &w->v[operand - SIM_VGPR0];
}

#endif
