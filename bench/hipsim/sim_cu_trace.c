#include "bench/hipsim/sim_cu_trace.h"

#include <stdlib.h>

#include "bench/hipsim/sim_table.h"
#include "bench/hipsim/sim_trace.h"

void sim_cu_trace_open(struct sim_cu_trace *trace, const struct sim_cu_places *places, uint64_t steps) {
  *trace = (struct sim_cu_trace){.places = places, .left = steps, .complete = true};
}

void sim_cu_trace_close(struct sim_cu_trace *trace) {
  for (unsigned i = 0; i < SIM_CU_MAX_WAVES; ++i)
    free(trace->wave[i].steps);
  free(trace->lines);
  *trace = (struct sim_cu_trace){.failed = true};
}

/* ---- growing ---- */

static bool grow_steps(struct sim_cu_wave *wave) {
  const uint32_t capacity = wave->capacity == 0 ? 1024 : wave->capacity * 2;
  struct sim_cu_step *steps = realloc(wave->steps, capacity * sizeof *steps);
  if (steps == NULL)
    return false;
  wave->steps = steps;
  wave->capacity = capacity;
  return true;
}

static bool grow_lines(struct sim_cu_trace *trace) {
  const uint32_t capacity = trace->line_capacity == 0 ? 8192 : trace->line_capacity * 2;
  uint32_t *lines = realloc(trace->lines, capacity * sizeof *lines);
  if (lines == NULL)
    return false;
  trace->lines = lines;
  trace->line_capacity = capacity;
  return true;
}

static uint32_t add_lines(struct sim_cu_trace *trace, const uint32_t *lines, uint32_t count, uint64_t bytes) {
  const uint32_t at = trace->line_count;
  if (at + count + 2 > trace->line_capacity && !grow_lines(trace)) {
    trace->failed = true;
    return 0;
  }
  trace->lines[at] = count;
  trace->lines[at + 1] = (uint32_t)bytes;
  memcpy(&trace->lines[at + 2], lines, count * sizeof *lines);
  trace->line_count = at + count + 2;
  return at;
}

static void add_step(struct sim_cu_trace *trace, uint32_t number, struct sim_cu_step step) {
  struct sim_cu_wave *wave = &trace->wave[number];
  if (wave->count == wave->capacity && !grow_steps(wave)) {
    trace->failed = true;
    return;
  }
  wave->steps[wave->count++] = step;
  --trace->left;
}

/* ---- one instruction ---- */

typedef void run_function(struct sim_wave *w, uint64_t count);

static bool is_vector_memory(unsigned op) {
  return sim_class_of[op] == SIM_CLASS_LOAD || sim_class_of[op] == SIM_CLASS_STORE;
}

static struct sim_cu_step record_memory(struct sim_cu_trace *trace, struct sim_wave *w,
                                        const struct sim_inst *inst, run_function *run, uint32_t at) {
  uint32_t lines[SIM_CU_MOST_LINES];
  const uint32_t count = sim_cu_lines(w, inst, trace->places, lines);
  const uint64_t before = w->counts->load_bytes + w->counts->store_bytes;
  run(w, 1);
  const uint64_t bytes = w->counts->load_bytes + w->counts->store_bytes - before;
  return (struct sim_cu_step){.at = at, .extra = add_lines(trace, lines, count, bytes)};
}

static uint32_t at_most(uint64_t value, uint32_t limit) {
  return value < limit ? (uint32_t)value : limit;
}

static struct sim_cu_step record_lds(struct sim_wave *w, run_function *run, uint32_t at) {
  const uint64_t cycles = w->counts->lds_cycles, conflicts = w->counts->lds_conflict_cycles;
  run(w, 1);
  const uint32_t spent = at_most(w->counts->lds_cycles - cycles, 0xffff);
  return (struct sim_cu_step){
      .at = at, .extra = spent | at_most(w->counts->lds_conflict_cycles - conflicts, 0xffff) << 16};
}

static void record_one(struct sim_cu_trace *trace, struct sim_wave *w, run_function *run) {
  const uint64_t offset = w->pc - w->code->base;
  if (offset % 4 != 0 || offset >= w->code->size) { /* it will fail, and say how */
    run(w, 1);
    return;
  }
  const uint32_t at = (uint32_t)(offset / 4);
  const struct sim_inst *inst = &w->code->at[at];
  if (trace->file != NULL)
    sim_trace_write(trace->file, w, at);
  struct sim_cu_step step = {.at = at};
  if (is_vector_memory(inst->op))
    step = record_memory(trace, w, inst, run, at);
  else if (sim_class_of[inst->op] == SIM_CLASS_LDS)
    step = record_lds(w, run, at);
  else
    run(w, 1);
  add_step(trace, w->number, step);
}

void sim_cu_record(struct sim_cu_trace *trace, struct sim_wave *w, run_function *run, uint64_t count) {
  if (w->number >= trace->waves)
    trace->waves = w->number + 1;
  const uint64_t end = w->executed + count;
  while (w->executed < end && w->state == SIM_RUNNING && trace->left > 0 && !trace->failed)
    record_one(trace, w, run);
  if (w->executed < end && w->state == SIM_RUNNING) {
    trace->complete = false;
    run(w, end - w->executed);
  }
}
