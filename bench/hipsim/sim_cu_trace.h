/* What sampled workgroups executed, for the time model: each wave's instructions in order, the cache lines its memory
 * instructions touched, and what its LDS instructions cost in bank conflicts.
 *
 * A recorded workgroup runs as any other, but an instruction at a time; the loop that runs all others knows nothing of
 * it. Lines are numbered by buffer (in the order of the kernel's arguments) and offset, not by address, so that a trace
 * is the same whatever the host's address space looks like. */
#ifndef SIM_CU_TRACE_H
#define SIM_CU_TRACE_H

#include "bench/hipsim/sim_wave.h"

enum { SIM_CU_PLACES = 30, SIM_CU_MAX_WAVES = 16 };

/* One executed instruction. */
struct sim_cu_step {
  uint32_t at; /* dword of the code */
  uint32_t
      extra; /* LDS: clocks, conflicts << 16. Vector memory: where its entry in `lines` begins, see below */
};

struct sim_cu_wave {
  struct sim_cu_step *steps;
  uint32_t count, capacity;
};

/* The buffers that the arguments point at, in their order. */
struct sim_cu_places {
  const struct sim_span *span[SIM_CU_PLACES];
  uint32_t count;
};

struct sim_cu_trace {
  const struct sim_cu_places *places;
  uint32_t waves;
  struct sim_cu_wave wave[SIM_CU_MAX_WAVES];
  uint32_t *lines; /* entries: count, bytes that lanes asked for, then `count` line numbers */
  uint32_t line_count, line_capacity;
  uint64_t left;               /* steps that may still be recorded; what comes after them is executed only */
  bool complete;               /* every step is in it */
  bool failed;                 /* memory ran out: do not use it */
  struct sim_trace_file *file; /* HIPSIM_TRACE: also write what is executed; NULL: no */
  struct sim_counts counts;    /* of this workgroup, complete even if the steps are not */
};

void sim_cu_trace_open(struct sim_cu_trace *trace, const struct sim_cu_places *places, uint64_t steps);
void sim_cu_trace_close(struct sim_cu_trace *trace);

/* Runs up to `count` instructions of a wave, as `run` does, and records them. */
void sim_cu_record(struct sim_cu_trace *trace, struct sim_wave *w, void (*run)(struct sim_wave *, uint64_t),
                   uint64_t count);

/* The lines that a vector memory instruction, not executed yet, will touch: at most SIM_CU_MOST_LINES numbers,
 * each once. 0: none (no lane is active, or it will fail). */
enum { SIM_CU_MOST_LINES = 256 };
uint32_t sim_cu_lines(struct sim_wave *w, const struct sim_inst *inst, const struct sim_cu_places *places,
                      uint32_t lines[SIM_CU_MOST_LINES]);

#endif
