#include "bench/hipsim/sim_cu.h"

#include <stdlib.h>
#include <string.h>

enum {
  TURN = 4, /* clocks between two turns of a SIMD */
  VM_MOST = 63,
  LGKM_MOST = 15,
  RING = 64,
  PENDING = 8,       /* matrix instructions of a wave whose results are not there yet */
  RESULT_WAIT = 12,  /* three wait states beyond the passes */
  TAKEN_BRANCH = 16, /* clocks until the wave has instructions again; an estimate */
  BARRIER_WAIT = 8,
  QUEUE = 32, /* clocks ahead of its turn at which LDS or vector memory takes an instruction of a SIMD */
  FRACTION = 1024,
};
#define NEVER UINT64_MAX

/* ---- state ---- */

struct block;

/* Where a wave is with regard to its cut. */
enum phase { BEFORE, TO_WINDOW, IN_WINDOW, FROM_WINDOW, BEHIND };

struct pending {
  struct sim_cu_range range;
  uint64_t chain, done; /* when it can be accumulated onto, and read */
};

struct wave {
  const struct sim_cu_step *steps;
  uint32_t at, mark, count; /* mark: the next step at which the cut matters */
  uint32_t number;
  struct block *block;
  uint64_t ready, since, begun; /* since: from when on it has been waiting */
  uint64_t matrix_until;        /* results of matrix instructions are outstanding until then */
  uint8_t reason, priority, simd, phase;
  bool ended;
  uint32_t vm, lgkm;
  uint64_t vm_done[RING], lgkm_done[RING]; /* by issue, never falling */
  struct pending pending[PENDING];
  uint32_t next_pending;
};

struct block {
  const struct sim_cu_trace *trace;
  const struct sim_cu_cut *cut;
  uint32_t number, alive, arrived;
  uint64_t window_begin, window_end; /* of the first wave, of the last */
  struct wave wave[SIM_CU_MAX_WAVES];
};

struct simd {
  struct wave *wave[SIM_CU_MAX_WAVES * 4];
  uint32_t count;
  uint64_t next, valu_free, matrix_free;
  uint64_t lds_taken, vmem_taken; /* what it issued there last has left the queue */
  bool priorities;
};

struct cu {
  const struct sim_cu_job *job;
  const struct sim_arch_facts *facts;
  struct sim_cu_op *ops;
  struct block *blocks; /* a slot each */
  uint32_t started, ended, turns;
  struct simd simd[SIM_SIMDS];
  uint64_t lds_free, vmem_free;
  uint64_t lds_in_free[SIM_SIMDS / 2], lds_out_free[SIM_SIMDS / 2]; /* ports of two SIMDs each */
  /* the shared levels, in 1/FRACTION clocks */
  uint64_t l2_free, last_free, memory_free;
  uint64_t l2_line, last_line, memory_line; /* what a line takes */
  uint32_t last_due, memory_due, store_due; /* in 1/65536: fractions that have not made a whole yet */
  uint32_t last_part, memory_part, store_part;
  struct sim_cu_cache cache;
  struct sim_cu_block *ends; /* by workgroup */
  /* waves in their windows; while there are some: steps in windows, and those in loops anywhere */
  uint32_t in_window;
  uint64_t window_steps, loop_steps;
  struct sim_cu_result *result;
};

static uint64_t later(uint64_t a, uint64_t b) {
  return a > b ? a : b;
}

static uint64_t to_turn(uint64_t clock) {
  return (clock + (TURN - 1)) / TURN * TURN;
}

/* ---- L1 ---- */

void sim_cu_cache_clear(struct sim_cu_cache *cache, enum sim_arch arch) {
  memset(cache, 0, sizeof *cache);
  const struct sim_arch_facts *facts = sim_arch_facts(arch);
  const uint32_t sets = facts->l1_bytes / facts->line_bytes / SIM_CU_WAYS;
  cache->sets = sets < SIM_CU_MOST_SETS ? sets : SIM_CU_MOST_SETS;
}

bool sim_cu_cache_touch(struct sim_cu_cache *cache, uint32_t line, struct sim_cu_line **held) {
  /* Folding keeps buffers that begin at the same place in different sets. */
  struct sim_cu_line *set = cache->line[(line ^ line >> 7 ^ line >> 15 ^ line >> 23) % cache->sets];
  const uint64_t tag = (uint64_t)line + 1;
  uint32_t way = 0;
  while (way < SIM_CU_WAYS - 1 && set[way].tag != tag)
    ++way;
  const bool hit = set[way].tag == tag;
  const struct sim_cu_line touched = hit ? set[way] : (struct sim_cu_line){.tag = tag};
  for (; way > 0; --way)
    set[way] = set[way - 1];
  set[0] = touched;
  *held = &set[0];
  return hit;
}

/* ---- L2, last level, memory ---- */

static bool whole_part(uint32_t *due, uint32_t part) {
  *due += part;
  if (*due < 65536)
    return false;
  *due -= 65536;
  return true;
}

static uint64_t serve(uint64_t *server, uint64_t from, uint64_t takes) {
  const uint64_t begin = later(*server, from * FRACTION);
  *server = begin + takes;
  return (begin + takes) / FRACTION;
}

/* A line that the L1 does not have: when it is there. */
static uint64_t fetch_line(struct cu *cu, uint64_t from) {
  uint64_t done = serve(&cu->l2_free, from, cu->l2_line);
  uint64_t latency = cu->facts->l2_latency;
  ++cu->result->l2_lines;
  if (cu->job->memory.last_bytes > 0 && whole_part(&cu->last_due, cu->last_part)) {
    done = serve(&cu->last_free, done, cu->last_line);
    latency = cu->facts->last_latency;
    ++cu->result->last_lines;
  }
  if (whole_part(&cu->memory_due, cu->memory_part)) {
    done = serve(&cu->memory_free, done, cu->memory_line);
    latency = cu->facts->memory_latency;
    ++cu->result->memory_lines;
  }
  return done + latency;
}

static uint64_t store_line(struct cu *cu, uint64_t from) {
  uint64_t done = serve(&cu->l2_free, from, cu->l2_line);
  ++cu->result->l2_lines;
  if (whole_part(&cu->store_due, cu->store_part)) {
    done = serve(&cu->memory_free, done, cu->memory_line);
    ++cu->result->memory_lines;
  }
  return done + cu->facts->l2_latency;
}

/* ---- waiting ---- */

static void wait(struct cu *cu, struct wave *w, uint64_t now, uint64_t until, enum sim_cu_stall reason) {
  cu->result->stall[w->reason] += now - w->since;
  w->since = now;
  w->reason = (uint8_t)reason;
  w->ready = until == NEVER ? NEVER : to_turn(until);
}

static void push(uint64_t *ring, uint32_t *issued, uint64_t done) {
  const uint64_t last = *issued > 0 ? ring[(*issued - 1) % RING] : 0;
  ring[*issued % RING] = later(last, done);
  ++*issued;
}

/* When no more than `left` of what was issued is outstanding. */
static uint64_t drained(const uint64_t *ring, uint32_t issued, uint32_t left) {
  return issued > left ? ring[(issued - left - 1) % RING] : 0;
}

static bool overlap(struct sim_cu_range a, struct sim_cu_range b) {
  return a.first < b.end && b.first < a.end;
}

/* When the results of matrix instructions that `op` touches are there. */
static uint64_t results_there(const struct wave *w, const struct sim_cu_op *op) {
  uint64_t there = 0;
  for (uint32_t i = 0; i < PENDING; ++i) {
    const struct pending *p = &w->pending[i];
    const bool chained =
        op->unit == SIM_CU_MATRIX && op->read[2].first == p->range.first && op->read[2].end == p->range.end;
    if (overlap(op->read[0], p->range) || overlap(op->read[1], p->range) ||
        (!chained && (overlap(op->read[2], p->range) || overlap(op->write, p->range))))
      there = later(there, p->done);
    else if (chained)
      there = later(there, p->chain);
  }
  return there;
}

/* ---- workgroups ---- */

static uint32_t least_loaded(const struct cu *cu, uint32_t from) {
  uint32_t best = from % SIM_SIMDS;
  for (uint32_t i = 1; i < SIM_SIMDS; ++i) {
    const uint32_t s = (from + i) % SIM_SIMDS;
    if (cu->simd[s].count < cu->simd[best].count)
      best = s;
  }
  return best;
}

static uint32_t next_mark(const struct wave *w) {
  const struct sim_cu_cut *cut = w->block->cut;
  const uint32_t marks[] = {[BEFORE] = cut->begin[w->number],
                            [TO_WINDOW] = cut->from[w->number],
                            [IN_WINDOW] = cut->stop[w->number],
                            [FROM_WINDOW] = cut->end[w->number],
                            [BEHIND] = UINT32_MAX};
  return marks[w->phase];
}

static void start_wave(struct cu *cu, struct block *block, uint32_t number, uint64_t now) {
  struct wave *w = &block->wave[number];
  const struct sim_cu_wave *from = &block->trace->wave[number];
  *w = (struct wave){.steps = from->steps,
                     .count = from->count,
                     .number = number,
                     .block = block,
                     .ready = now,
                     .since = now,
                     .begun = now,
                     .reason = SIM_CU_STALL_ISSUE};
  w->mark = next_mark(w);
  w->simd = (uint8_t)least_loaded(cu, number);
  struct simd *simd = &cu->simd[w->simd];
  simd->wave[simd->count++] = w;
  if (now < simd->next)
    simd->next = now;
}

static void start_block(struct cu *cu, struct block *block, uint64_t now) {
  const uint32_t which = cu->started % cu->job->trace_count;
  block->trace = &cu->job->traces[which];
  block->cut = &cu->job->cuts[which];
  block->number = cu->started++;
  block->alive = block->trace->waves;
  block->arrived = 0;
  block->window_begin = NEVER;
  block->window_end = 0;
  for (uint32_t i = 0; i < block->trace->waves; ++i)
    start_wave(cu, block, i, now);
}

static void end_block(struct cu *cu, struct block *block, uint64_t now) {
  const bool cut = block->window_end > block->window_begin;
  cu->ends[block->number] = (struct sim_cu_block){.finish = now,
                                                  .from = (double)(cut ? block->window_begin : now),
                                                  .to = (double)(cut ? block->window_end : now),
                                                  .left_out = cut ? block->cut->left_out : 0};
  ++cu->ended;
}

/* Waves that have ended count as arrived. */
static void open_barrier(struct cu *cu, struct block *block, uint64_t now) {
  if (block->arrived == 0 || block->arrived < block->alive)
    return;
  block->arrived = 0;
  for (uint32_t i = 0; i < block->trace->waves; ++i) {
    struct wave *w = &block->wave[i];
    if (w->ended || w->ready != NEVER)
      continue;
    w->ready = to_turn(now + BARRIER_WAIT);
    struct simd *simd = &cu->simd[w->simd];
    if (w->ready < simd->next)
      simd->next = w->ready;
  }
}

static void end_wave(struct cu *cu, struct wave *w, uint64_t now) {
  struct block *block = w->block;
  w->ended = true;
  cu->result->wave_clocks += now - w->begun;
  --block->alive;
  if (block->alive > 0)
    open_barrier(cu, block, now);
  else
    end_block(cu, block, now);
}

/* ---- issue ---- */

static void pass_mark(struct cu *cu, struct wave *w, uint64_t now) {
  struct block *block = w->block;
  ++w->phase;
  if (w->phase == IN_WINDOW) {
    block->window_begin = now < block->window_begin ? now : block->window_begin;
    ++cu->in_window;
  } else if (w->phase == FROM_WINDOW) {
    block->window_end = later(block->window_end, now);
    w->at = block->cut->resume[w->number];
    --cu->in_window;
  }
  w->mark = next_mark(w);
}

/* The wave's instruction was issued: it can have its next one from `ready` on. */
static void advance(struct cu *cu, struct wave *w, uint64_t now, uint64_t ready, enum sim_cu_stall reason) {
  ++cu->result->steps;
  cu->result->stall[w->reason] += now - w->since;
  w->since = now + TURN;
  w->reason = (uint8_t)reason;
  w->ready = ready;
  ++w->at;
  if (cu->in_window > 0) {
    cu->window_steps += w->phase == IN_WINDOW;
    cu->loop_steps += w->phase != BEFORE && w->phase != BEHIND;
  }
  if (w->at == w->mark)
    pass_mark(cu, w, ready);
}

static void issue_internal(struct cu *cu, struct wave *w, const struct sim_cu_op *op, uint64_t now) {
  switch (op->kind) {
  case SIM_CU_NOP:
    advance(cu, w, now, to_turn(now + op->value), SIM_CU_STALL_DEPENDENCY);
    return;
  case SIM_CU_BARRIER:
    advance(cu, w, now, NEVER, SIM_CU_STALL_BARRIER);
    ++w->block->arrived;
    open_barrier(cu, w->block, now);
    return;
  case SIM_CU_PRIORITY:
    w->priority = (uint8_t)op->value;
    cu->simd[w->simd].priorities = true;
    break;
  case SIM_CU_END:
    advance(cu, w, now, now + TURN, SIM_CU_STALL_ISSUE);
    end_wave(cu, w, now + TURN);
    return;
  case SIM_CU_WAITCNT: {
    const uint64_t vm = drained(w->vm_done, w->vm, op->vm);
    const uint64_t lgkm = drained(w->lgkm_done, w->lgkm, op->lgkm);
    if (later(vm, lgkm) > now) {
      wait(cu, w, now, later(vm, lgkm), vm > lgkm ? SIM_CU_STALL_VMCNT : SIM_CU_STALL_LGKMCNT);
      return;
    }
    break;
  }
  default:
    break;
  }
  advance(cu, w, now, now + TURN, SIM_CU_STALL_ISSUE);
}

static void issue_matrix(struct cu *cu, struct simd *simd, struct wave *w, const struct sim_cu_op *op,
                         uint64_t now) {
  simd->valu_free = now + TURN;
  simd->matrix_free = now + op->clocks;
  struct pending *p = &w->pending[w->next_pending++ % PENDING];
  *p =
      (struct pending){.range = op->write, .chain = now + op->clocks, .done = now + op->clocks + RESULT_WAIT};
  w->matrix_until = later(w->matrix_until, p->done);
  cu->result->busy[SIM_CU_MATRIX] += op->clocks;
}

/* Addresses and data go in through the port, the banks work on them as they come, and results leave as they are read. */
static void issue_lds(struct cu *cu, struct simd *simd, struct wave *w, const struct sim_cu_op *op,
                      const struct sim_cu_step *step, uint64_t now) {
  const uint32_t clocks = (step->extra & 0xffffu) > 0 ? step->extra & 0xffffu : 1;
  uint64_t *in = &cu->lds_in_free[w->simd / 2], *out = &cu->lds_out_free[w->simd / 2];
  const uint64_t begin = later(cu->lds_free, later(*in, now));
  *in = later(*in, now) + op->lds_in;
  cu->lds_free = begin + clocks;
  *out = later(*out, begin) + op->lds_out;
  cu->result->busy[SIM_CU_LDS] += clocks;
  simd->lds_taken = later(cu->lds_free, later(*in, *out));
  push(w->lgkm_done, &w->lgkm, simd->lds_taken + cu->facts->lds_latency);
}

/* When a line is there, or stored. */
static uint64_t move_line(struct cu *cu, const struct sim_cu_op *op, uint32_t line, uint64_t from) {
  struct sim_cu_line *held;
  if (op->store)
    return store_line(cu, from);
  if (op->streaming)
    return fetch_line(cu, from);
  if (sim_cu_cache_touch(&cu->cache, line, &held))
    ++cu->result->l1_hits;
  else
    held->there = fetch_line(cu, from);
  return held->there;
}

static void issue_vmem(struct cu *cu, struct simd *simd, struct wave *w, const struct sim_cu_op *op,
                       const struct sim_cu_step *step, uint64_t now) {
  const uint32_t *entry = &w->block->trace->lines[step->extra];
  const uint32_t count = entry[0], bytes = entry[1];
  uint64_t clocks = later(SIM_LANES / 16, count);
  clocks = later(clocks, (bytes + cu->facts->l1_bytes_clock - 1) / cu->facts->l1_bytes_clock);
  const uint64_t begin = later(cu->vmem_free, now);
  cu->vmem_free = begin + clocks;
  simd->vmem_taken = cu->vmem_free;
  cu->result->busy[SIM_CU_VMEM] += clocks;
  cu->result->l1_lines += count;
  uint64_t done = cu->vmem_free + cu->facts->l1_latency;
  for (uint32_t i = 0; i < count; ++i)
    done = later(done, move_line(cu, op, entry[2 + i], begin + i));
  if (op->lds_clocks > 0) {
    cu->lds_free = later(cu->lds_free, now) + op->lds_clocks;
    done += op->lds_clocks;
  }
  push(w->vm_done, &w->vm, done);
  if (op->counts_lgkm)
    push(w->lgkm_done, &w->lgkm, done);
}

static uint64_t ahead_of(uint64_t turn) {
  return turn > QUEUE ? turn - QUEUE : 0;
}

/* The clock from which on the instruction's unit can take it. LDS and vector memory have a queue for each SIMD, so that none
 * has to wait for the luck of the draw. */
static uint64_t unit_free(const struct simd *simd, const struct wave *w, const struct sim_cu_op *op) {
  switch (op->unit) {
  case SIM_CU_VALU:
    return simd->valu_free;
  case SIM_CU_MATRIX:
    return later(simd->valu_free, simd->matrix_free);
  case SIM_CU_LDS:
    return later(drained(w->lgkm_done, w->lgkm, LGKM_MOST), ahead_of(simd->lds_taken));
  case SIM_CU_SMEM:
    return drained(w->lgkm_done, w->lgkm, LGKM_MOST);
  case SIM_CU_VMEM:
    return later(drained(w->vm_done, w->vm, VM_MOST), ahead_of(simd->vmem_taken));
  default:
    return 0;
  }
}

static void issue(struct cu *cu, struct simd *simd, struct wave *w, const struct sim_cu_op *op,
                  uint64_t now) {
  const struct sim_cu_step *step = &w->steps[w->at];
  uint64_t ready = now + TURN;
  enum sim_cu_stall reason = SIM_CU_STALL_ISSUE;
  switch (op->unit) {
  case SIM_CU_VALU:
    simd->valu_free = now + op->clocks;
    cu->result->busy[SIM_CU_VALU] += op->clocks;
    break;
  case SIM_CU_MATRIX:
    issue_matrix(cu, simd, w, op, now);
    break;
  case SIM_CU_LDS:
    issue_lds(cu, simd, w, op, step, now);
    break;
  case SIM_CU_SMEM:
    push(w->lgkm_done, &w->lgkm, now + cu->facts->scalar_latency);
    break;
  case SIM_CU_VMEM:
    issue_vmem(cu, simd, w, op, step, now);
    break;
  case SIM_CU_BRANCH:
    if (w->at + 1 < w->count && step[1].at != step->at + op->dwords) {
      ready = now + TAKEN_BRANCH;
      reason = SIM_CU_STALL_BRANCH;
    }
    break;
  default:
    break;
  }
  advance(cu, w, now, ready, reason);
}

static const struct sim_cu_op *op_of(struct cu *cu, uint32_t at) {
  struct sim_cu_op *op = &cu->ops[at];
  if (!op->known)
    sim_cu_op_fill(op, &cu->job->code->at[at], cu->job->arch);
  return op;
}

/* A wave's turn. `used`: units that have been issued to in this turn of the SIMD. */
static void step(struct cu *cu, struct simd *simd, struct wave *w, uint64_t now, uint32_t *used) {
  if (w->at >= w->count) { /* its record ends here */
    end_wave(cu, w, now);
    return;
  }
  const struct sim_cu_op *op = op_of(cu, w->steps[w->at].at);
  if (op->unit == SIM_CU_INTERNAL) {
    ++cu->result->issued[SIM_CU_INTERNAL];
    issue_internal(cu, w, op, now);
    return;
  }
  if (w->matrix_until > now) {
    const uint64_t there = results_there(w, op);
    if (there > now) {
      wait(cu, w, now, there, SIM_CU_STALL_DEPENDENCY);
      return;
    }
  }
  const uint32_t port = 1u << (op->unit == SIM_CU_MATRIX ? SIM_CU_VALU : op->unit);
  const uint64_t free_at = unit_free(simd, w, op);
  if ((*used & port) != 0 || free_at > now) {
    const bool matrix = op->unit == SIM_CU_MATRIX && simd->matrix_free > now;
    wait(cu, w, now, later(free_at, now + TURN), matrix ? SIM_CU_STALL_MATRIX : SIM_CU_STALL_ISSUE);
    return;
  }
  *used |= port;
  ++cu->result->issued[op->unit];
  issue(cu, simd, w, op, now);
}

/* ---- turns ---- */

/* Keeps the order of age among waves of the same priority. */
static void sort_by_priority(struct simd *simd) {
  for (uint32_t i = 1; i < simd->count; ++i) {
    struct wave *w = simd->wave[i];
    uint32_t j = i;
    for (; j > 0 && (simd->wave[j - 1]->priority < w->priority ||
                     (simd->wave[j - 1]->priority == w->priority &&
                      simd->wave[j - 1]->block->number > w->block->number));
         --j)
      simd->wave[j] = simd->wave[j - 1];
    simd->wave[j] = w;
  }
}

static void drop_ended(struct simd *simd) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < simd->count; ++i)
    if (!simd->wave[i]->ended)
      simd->wave[kept++] = simd->wave[i];
  simd->count = kept;
}

static void turn(struct cu *cu, struct simd *simd, uint64_t now) {
  uint32_t used = 0;
  const uint32_t count = simd->count;
  bool ended = false;
  for (uint32_t i = 0; i < count; ++i) {
    struct wave *w = simd->wave[i];
    if (w->ready > now || w->ended)
      continue;
    step(cu, simd, w, now, &used);
    ended = ended || w->ended;
  }
  if (ended)
    drop_ended(simd);
  if (simd->priorities) {
    sort_by_priority(simd);
    simd->priorities = false;
  }
  simd->next = NEVER;
  for (uint32_t i = 0; i < simd->count; ++i)
    if (simd->wave[i]->ready < simd->next)
      simd->next = simd->wave[i]->ready;
}

/* Slots whose workgroup has ended take the next one. Its waves have left their SIMDs by then. */
static void refill(struct cu *cu, uint64_t now) {
  for (uint32_t i = 0; i < cu->job->slots && cu->started < cu->job->blocks; ++i)
    if (cu->blocks[i].alive == 0)
      start_block(cu, &cu->blocks[i], to_turn(now + TURN));
}

/* That whose turn comes first. Of several another one each time: they share LDS and vector memory. */
static struct simd *next_simd(struct cu *cu) {
  const uint32_t from = ++cu->turns % SIM_SIMDS;
  struct simd *next = &cu->simd[from];
  for (uint32_t i = 1; i < SIM_SIMDS; ++i) {
    struct simd *other = &cu->simd[(from + i) % SIM_SIMDS];
    if (other->next < next->next)
      next = other;
  }
  return next;
}

static void run(struct cu *cu) {
  refill(cu, 0);
  while (cu->ended < cu->job->blocks) {
    struct simd *next = next_simd(cu);
    if (next->next == NEVER)
      return; /* waves wait at a barrier that the others never reach: cannot be, they ran */
    const uint32_t ended = cu->ended;
    const uint64_t now = next->next;
    turn(cu, next, now);
    if (cu->ended != ended)
      refill(cu, now);
  }
}

/* ---- set-up ---- */

static uint32_t part_of(double share) {
  return share >= 1 ? 65536 : (uint32_t)(share * 65536 + 0.5);
}

static uint64_t line_time(uint32_t line_bytes, double bytes_clock) {
  return bytes_clock > 0 ? (uint64_t)((double)line_bytes * FRACTION / bytes_clock + 0.5) : 0;
}

static void set_memory(struct cu *cu, const struct sim_cu_memory *memory) {
  const uint32_t line = cu->facts->line_bytes;
  cu->l2_line = line_time(line, memory->l2_bytes);
  cu->last_line = line_time(line, memory->last_bytes);
  cu->memory_line = line_time(line, memory->memory_bytes);
  cu->last_part = part_of(memory->last_share);
  cu->memory_part = part_of(memory->memory_share);
  cu->store_part = part_of(memory->store_memory_share);
}

int sim_cu_replay(const struct sim_cu_job *job, struct sim_cu_block *ends, struct sim_cu_result *result) {
  struct cu *cu = calloc(1, sizeof *cu);
  struct block *blocks = calloc(job->slots, sizeof *blocks);
  struct sim_cu_op *ops = calloc(job->code->size / 4 + 1, sizeof *ops);
  int status = -1;
  memset(result, 0, sizeof *result);
  if (cu != NULL && blocks != NULL && ops != NULL) {
    *cu = (struct cu){.job = job,
                      .facts = sim_arch_facts(job->arch),
                      .ops = ops,
                      .blocks = blocks,
                      .ends = ends,
                      .result = result};
    for (uint32_t i = 0; i < SIM_SIMDS; ++i)
      cu->simd[i].next = NEVER;
    set_memory(cu, &job->memory);
    sim_cu_cache_clear(&cu->cache, job->arch);
    run(cu);
    /* What is done beside windows is work that the parts left out would have done, too. */
    const double windows = cu->loop_steps > 0 ? (double)cu->window_steps / (double)cu->loop_steps : 1;
    for (uint32_t i = 0; i < job->blocks; ++i)
      ends[i].left_out *= windows;
    for (uint32_t i = 0; i < job->blocks; ++i)
      result->clocks = later(result->clocks, ends[i].finish);
    status = cu->ended == job->blocks ? 0 : -1;
  }
  free(cu);
  free(blocks);
  free(ops);
  return status;
}

/* ---- what the cuts left out ----
 *
 * Workgroups in their windows at the same time share the CU: what they leave out would pass at the same time, too. Those
 * that are in them one after another (an older one may keep a unit to itself) leave out a time of their own each. So every
 * moment in which some workgroups are in their windows stands for as many as they leave out on average. */

static int compare_moments(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Times that the moments from `at` on stand for, until the next window begins or ends. */
static double left_out_at(const struct sim_cu_block *blocks, uint32_t count, double at) {
  double sum = 0;
  uint32_t active = 0;
  for (uint32_t i = 0; i < count; ++i)
    if (blocks[i].left_out > 0 && blocks[i].from <= at && at < blocks[i].to) {
      sum += blocks[i].left_out;
      ++active;
    }
  return active > 0 ? sum / active : 0;
}

double sim_cu_clocks(const struct sim_cu_block *blocks, uint32_t count) {
  double clocks = 0, extra = 0;
  double *moments = malloc((2 * (size_t)count + 1) * sizeof *moments);
  for (uint32_t i = 0; i < count; ++i)
    clocks = (double)blocks[i].finish > clocks ? (double)blocks[i].finish : clocks;
  if (moments == NULL)
    return clocks;
  for (uint32_t i = 0; i < count; ++i) {
    moments[2 * i] = blocks[i].from;
    moments[2 * i + 1] = blocks[i].to;
  }
  qsort(moments, 2 * (size_t)count, sizeof *moments, compare_moments);
  for (uint32_t i = 0; i + 1 < 2 * count; ++i)
    if (moments[i + 1] > moments[i])
      extra += (moments[i + 1] - moments[i]) * left_out_at(blocks, count, moments[i]);
  free(moments);
  return clocks + extra;
}
