#include "bench/hipsim/sim_launch.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/hipsim/sim_model.h"
#include "bench/hipsim/sim_profile.h"
#include "bench/hipsim/sim_table.h"
#include "bench/hipsim/sim_trace.h"

/* ---- checks ---- */

enum { GRID_ITEMS_BITS = 32 };

static enum sim_launch_trouble check_sizes(const struct sim_launch *launch, struct ckt_error *error) {
  const char *name = launch->function->kernel.name;
  uint64_t items = 1;
  for (int axis = 0; axis < 3; ++axis) {
    const uint64_t grid = launch->grid[axis], block = launch->block[axis];
    if (grid == 0 || block == 0 || block > SIM_BLOCK_MAX || grid * block >> GRID_ITEMS_BITS != 0) {
      ckt_fail(error, CKT_E_USAGE,
               "kernel %.200s: %llu workgroups of %llu work-items along %c cannot be launched; both are at "
               "least 1, a "
               "workgroup has at most %d, and the grid less than 2^32",
               name, (unsigned long long)grid, (unsigned long long)block, "xyz"[axis], SIM_BLOCK_MAX);
      return SIM_LAUNCH_BAD_SIZES;
    }
    items *= block;
  }
  if (items > SIM_BLOCK_MAX) {
    ckt_fail(error, CKT_E_USAGE,
             "kernel %.200s: a workgroup of %llu work-items is too large; the device takes %d", name,
             (unsigned long long)items, SIM_BLOCK_MAX);
    return SIM_LAUNCH_BAD_SIZES;
  }
  uint64_t groups;
  if (__builtin_mul_overflow(launch->grid[0] * launch->grid[1], launch->grid[2], &groups)) {
    ckt_fail(error, CKT_E_USAGE, "kernel %.200s: the grid has more than 2^64 workgroups; make it smaller",
             name);
    return SIM_LAUNCH_BAD_SIZES;
  }
  if (items > launch->function->kernel.max_block) {
    ckt_fail(
        error, CKT_E_USAGE,
        "kernel %.200s: a workgroup of %llu work-items is larger than the %u it was compiled for; raise its "
        "__launch_bounds__",
        name, (unsigned long long)items, launch->function->kernel.max_block);
    return SIM_LAUNCH_BAD_BLOCK;
  }
  return SIM_LAUNCH_FINE;
}

static enum sim_launch_trouble check_lds(const struct sim_launch *launch, struct ckt_error *error) {
  const struct sim_kernel *kernel = &launch->function->kernel;
  const uint32_t limit = sim_arch_facts(launch->settings->model->arch)->lds_bytes;
  if (launch->dynamic_lds <= limit - kernel->lds_bytes)
    return SIM_LAUNCH_FINE;
  ckt_fail(error, CKT_E_USAGE,
           "kernel %.200s: %u static and %llu dynamic bytes of LDS are more than the %u there are; use less",
           kernel->name, kernel->lds_bytes, (unsigned long long)launch->dynamic_lds, limit);
  return SIM_LAUNCH_BAD_LDS;
}

static enum sim_launch_trouble check_arguments(const struct sim_launch *launch, struct ckt_error *error) {
  const struct sim_function *function = launch->function;
  const char *name = function->kernel.name;
  if (launch->parameters == NULL) {
    if (function->explicit_bytes == 0 ||
        (launch->buffer != NULL && launch->buffer_bytes >= function->explicit_bytes))
      return SIM_LAUNCH_FINE;
    ckt_fail(error, CKT_E_USAGE, "kernel %.200s: %zu bytes of arguments were given, it takes %u", name,
             launch->buffer != NULL ? launch->buffer_bytes : 0, function->explicit_bytes);
    return SIM_LAUNCH_BAD_ARGUMENTS;
  }
  size_t number = 0;
  for (size_t i = 0; i < function->metadata->argument_count; ++i) {
    if (function->metadata->arguments[i].kind != SIM_ARGUMENT_EXPLICIT)
      continue;
    if (launch->parameters[number] == NULL) {
      ckt_fail(error, CKT_E_USAGE,
               "kernel %.200s: the pointer to argument %zu is null; give the address of its value", name,
               number);
      return SIM_LAUNCH_BAD_ARGUMENTS;
    }
    ++number;
  }
  return SIM_LAUNCH_FINE;
}

enum sim_launch_trouble sim_launch_check(const struct sim_launch *launch, struct ckt_error *error) {
  enum sim_launch_trouble trouble = check_sizes(launch, error);
  if (trouble == SIM_LAUNCH_FINE)
    trouble = check_lds(launch, error);
  if (trouble == SIM_LAUNCH_FINE)
    trouble = check_arguments(launch, error);
  if (trouble == SIM_LAUNCH_FINE &&
      sim_blocks_cu(launch->settings->model->arch, &launch->function->kernel,
                    launch->block[0] * launch->block[1] * launch->block[2], launch->dynamic_lds) == 0) {
    ckt_fail(error, CKT_E_USAGE,
             "kernel %.200s: its registers leave no room for a workgroup of this size; make it smaller",
             launch->function->kernel.name);
    trouble = SIM_LAUNCH_BAD_LDS;
  }
  return trouble;
}

/* ---- kernel arguments ---- */

/* LLVM AMDGPUUsage, "Code Object V5 Metadata": block counts are of whole workgroups, remainders of a last partial one
 * (there is none), group sizes and remainders have 16 bits, block counts 32. */
static uint64_t hidden_value(const struct sim_launch *launch, enum sim_argument_kind kind) {
  switch (kind) {
  case SIM_ARGUMENT_HIDDEN_BLOCK_COUNT_X:
  case SIM_ARGUMENT_HIDDEN_BLOCK_COUNT_Y:
  case SIM_ARGUMENT_HIDDEN_BLOCK_COUNT_Z:
    return launch->grid[kind - SIM_ARGUMENT_HIDDEN_BLOCK_COUNT_X];
  case SIM_ARGUMENT_HIDDEN_GROUP_SIZE_X:
  case SIM_ARGUMENT_HIDDEN_GROUP_SIZE_Y:
  case SIM_ARGUMENT_HIDDEN_GROUP_SIZE_Z:
    return launch->block[kind - SIM_ARGUMENT_HIDDEN_GROUP_SIZE_X];
  case SIM_ARGUMENT_HIDDEN_GRID_DIMS:
    if (launch->grid[2] * launch->block[2] > 1)
      return 3;
    return launch->grid[1] * launch->block[1] > 1 ? 2 : 1;
  case SIM_ARGUMENT_HIDDEN_DYNAMIC_LDS_SIZE:
    return launch->dynamic_lds;
  default: /* global offsets and remainders, which are zero here, and what a kernel of ours does not use */
    return 0;
  }
}

void sim_launch_fill_kernarg(const struct sim_launch *launch, uint8_t *bytes) {
  const struct sim_function *function = launch->function;
  memset(bytes, 0, function->kernel.kernarg_bytes);
  if (launch->parameters == NULL && launch->buffer != NULL)
    memcpy(bytes, launch->buffer, function->explicit_bytes);
  size_t number = 0;
  for (size_t i = 0; i < function->metadata->argument_count; ++i) {
    const struct sim_argument *argument = &function->metadata->arguments[i];
    if (argument->kind == SIM_ARGUMENT_EXPLICIT) {
      if (launch->parameters != NULL)
        memcpy(bytes + argument->offset, launch->parameters[number++], argument->bytes);
    } else {
      const uint64_t value = hidden_value(launch, argument->kind);
      memcpy(bytes + argument->offset, &value,
             argument->bytes < sizeof value ? argument->bytes : sizeof value);
    }
  }
}

/* The 64 bytes of an AQL kernel dispatch packet (HSA Platform System Architecture, 2.9.6). */
struct packet {
  uint16_t header, setup, block[3], reserved0;
  uint32_t grid[3], scratch_bytes, lds_bytes;
  uint64_t kernel_object, kernarg, reserved2, signal;
};
_Static_assert(sizeof(struct packet) == 64, "an AQL packet has 64 bytes");

enum { PACKET_KERNEL_DISPATCH = 2, QUEUE_BYTES = 512 };

static void fill_packet(const struct sim_launch *launch, uint64_t kernarg, struct packet *packet) {
  *packet = (struct packet){
      .header = PACKET_KERNEL_DISPATCH,
      .setup = (uint16_t)hidden_value(launch, SIM_ARGUMENT_HIDDEN_GRID_DIMS),
      .scratch_bytes = launch->function->kernel.scratch_bytes,
      .lds_bytes = launch->function->kernel.lds_bytes + (uint32_t)launch->dynamic_lds,
      .kernarg = kernarg,
  };
  for (int axis = 0; axis < 3; ++axis) {
    packet->block[axis] = (uint16_t)launch->block[axis];
    packet->grid[axis] = (uint32_t)(launch->grid[axis] * launch->block[axis]);
  }
}

/* One block: arguments, packet and queue, each a span of its own that kernels may read. Returns its address or 0. */
static uint64_t place_arguments(const struct sim_launch *launch, struct sim_dispatch *dispatch) {
  const uint64_t kernarg = launch->function->kernel.kernarg_bytes;
  const uint64_t packet_at =
      (kernarg + SIM_MEMORY_ALIGNMENT - 1) / SIM_MEMORY_ALIGNMENT * SIM_MEMORY_ALIGNMENT + 256;
  const uint64_t queue_at = packet_at + 1024;
  const struct sim_part parts[] = {
      {.offset = 0, .bytes = kernarg, .kind = SIM_SPAN_KERNARG},
      {.offset = packet_at, .bytes = sizeof(struct packet), .kind = SIM_SPAN_KERNARG},
      {.offset = queue_at, .bytes = QUEUE_BYTES, .kind = SIM_SPAN_KERNARG},
  };
  const uint64_t address = sim_memory_allocate_parts(launch->memory, queue_at + QUEUE_BYTES, parts, 3);
  if (address == 0)
    return 0;
  sim_launch_fill_kernarg(launch, (uint8_t *)(uintptr_t)address);
  struct packet packet;
  fill_packet(launch, address, &packet);
  memcpy((void *)(uintptr_t)(address + packet_at), &packet, sizeof packet);
  dispatch->kernarg = address;
  dispatch->packet = address + packet_at;
  dispatch->queue = address + queue_at;
  return address;
}

/* The buffers that the arguments point at: any aligned word that is an address counts. Returns their bytes. */
static uint64_t find_places(const struct sim_launch *launch, const struct sim_dispatch *dispatch,
                            struct sim_cu_places *places) {
  uint64_t bytes = 0;
  places->count = 0;
  for (uint32_t at = 0; at + 8 <= launch->function->kernel.kernarg_bytes && places->count < SIM_CU_PLACES;
       at += 8) {
    uint64_t word;
    memcpy(&word, (const uint8_t *)(uintptr_t)dispatch->kernarg + at, sizeof word);
    const struct sim_span *span = sim_memory_span(launch->memory, word);
    if (span == NULL || span->kind != SIM_SPAN_BUFFER)
      continue;
    uint32_t i = 0;
    while (i < places->count && places->span[i] != span)
      ++i;
    if (i == places->count) {
      places->span[places->count++] = span;
      bytes += span->end - span->begin;
    }
  }
  return bytes;
}

/* ---- records ----
 *
 * Some workgroups are recorded, for the time model, and one more for HIPSIM_TRACE when it is not among them. */

struct records {
  struct sim_cu_places places;
  uint64_t footprint;
  uint64_t group[SIM_MODEL_SAMPLES + 1];
  struct sim_cu_trace trace[SIM_MODEL_SAMPLES + 1];
  uint32_t samples; /* for the model; the rest is for the trace alone */
  uint32_t count;
  struct sim_trace_file *file;
};

/* The number of the workgroup that HIPSIM_TRACE_GROUP names; UINT64_MAX: the grid does not have it. */
static uint64_t traced_group(const struct sim_settings *settings, const uint32_t *grid) {
  const uint32_t *id = settings->trace_group;
  if (settings->trace == NULL || id[0] >= grid[0] || id[1] >= grid[1] || id[2] >= grid[2])
    return UINT64_MAX;
  return id[0] + (uint64_t)grid[0] * (id[1] + (uint64_t)grid[1] * id[2]);
}

static void open_records(const struct sim_launch *launch, const struct sim_dispatch *dispatch,
                         uint64_t groups, struct records *records) {
  records->footprint = find_places(launch, dispatch, &records->places);
  records->samples = records->count = sim_model_samples(groups, records->group);
  const uint64_t traced = traced_group(launch->settings, dispatch->grid);
  uint32_t which = 0;
  while (which < records->count && records->group[which] != traced)
    ++which;
  if (traced != UINT64_MAX && which == records->count)
    records->group[records->count++] = traced;
  for (uint32_t i = 0; i < records->count; ++i)
    sim_cu_trace_open(&records->trace[i], &records->places, SIM_MODEL_STEPS);
  if (traced != UINT64_MAX) {
    records->file = sim_trace_open(launch->settings, dispatch);
    records->trace[which].file = records->file;
  }
}

static void close_records(struct records *records) {
  for (uint32_t i = 0; i < records->count; ++i)
    sim_cu_trace_close(&records->trace[i]);
  sim_trace_close(records->file);
}

/* The record of a workgroup; NULL: it has none. */
static struct sim_cu_trace *record_of(struct records *records, uint64_t group) {
  for (uint32_t i = 0; i < records->count; ++i)
    if (records->group[i] == group)
      return &records->trace[i];
  return NULL;
}

/* ---- workgroups over threads ----
 *
 * Workgroups are handed out in ascending order. When one fails, those below it go on (one of them may fail, too, and
 * is then the one to report) and those above it stop. So the report is that of the lowest workgroup that fails, which
 * does not depend on who runs what when. */

struct worker {
  pthread_t thread;
  struct shared *shared;
  struct sim_dispatch dispatch; /* a copy, with scratch and stop of its own */
  struct sim_group *group;
  atomic_bool stop;
  _Atomic uint64_t current; /* the workgroup under way */
  struct sim_counts counts;
  struct sim_fault fault;
  uint64_t failed; /* the workgroup `fault` tells of; UINT64_MAX: none */
  bool started;
};

struct shared {
  const uint32_t *grid;
  uint64_t groups;
  struct records *records;
  _Atomic uint64_t next;
  _Atomic uint64_t lowest_failed; /* UINT64_MAX: none */
  struct worker *workers;
  unsigned count;
};

/* A worker announces its workgroup before it looks at lowest_failed, and here it is the other way round: one of the two
 * sees the other. A flag that is set too late finds a worker that is on its way out. */
static void stop_those_above(struct shared *shared, uint64_t group) {
  uint64_t lowest = atomic_load(&shared->lowest_failed);
  while (group < lowest && !atomic_compare_exchange_weak(&shared->lowest_failed, &lowest, group)) {
  }
  for (unsigned i = 0; i < shared->count; ++i)
    if (atomic_load(&shared->workers[i].current) > group)
      atomic_store(&shared->workers[i].stop, true);
}

static void add_counts(struct sim_counts *sum, const struct sim_counts *more) {
  uint64_t *to = (uint64_t *)sum;
  const uint64_t *from = (const uint64_t *)more;
  for (size_t i = 0; i < sizeof *sum / sizeof *to; ++i)
    to[i] += from[i];
}

static void run_group(struct worker *worker, uint64_t group) {
  const uint32_t *grid = worker->shared->grid;
  const uint32_t id[3] = {(uint32_t)(group % grid[0]), (uint32_t)(group / grid[0] % grid[1]),
                          (uint32_t)(group / grid[0] / grid[1])};
  struct sim_fault fault;
  struct sim_cu_trace *record = record_of(worker->shared->records, group);
  struct sim_counts own = {.instructions = 0};
  sim_group_record(worker->group, record);
  const int status =
      sim_group_run(worker->group, &worker->dispatch, id, record != NULL ? &own : &worker->counts, &fault);
  if (record != NULL) {
    record->counts = own;
    add_counts(&worker->counts, &own);
  }
  if (status == 0)
    return;
  if (group > atomic_load(&worker->shared->lowest_failed))
    return; /* told to stop, or of no interest any more */
  worker->fault = fault;
  worker->failed = group;
  stop_those_above(worker->shared, group);
}

static void *work(void *argument) {
  struct worker *worker = argument;
  struct shared *shared = worker->shared;
  for (;;) {
    const uint64_t group = atomic_fetch_add(&shared->next, 1);
    if (group >= shared->groups)
      break;
    atomic_store(&worker->stop, false);
    atomic_store(&worker->current, group);
    if (group > atomic_load(&shared->lowest_failed))
      break;
    run_group(worker, group);
  }
  return NULL;
}

/* Scratch and registers for one worker; false: memory ran out. */
static bool prepare(struct worker *worker, struct shared *shared, const struct sim_dispatch *dispatch,
                    struct sim_memory *memory) {
  worker->shared = shared;
  worker->failed = UINT64_MAX;
  worker->dispatch = *dispatch;
  worker->dispatch.stop = &worker->stop;
  const uint32_t items = dispatch->block[0] * dispatch->block[1] * dispatch->block[2];
  const size_t scratch = sim_group_scratch_bytes(dispatch->kernel, items);
  if (scratch > 0) {
    worker->dispatch.scratch = sim_memory_allocate(memory, scratch, SIM_SPAN_SCRATCH, true);
    if (worker->dispatch.scratch == 0)
      return false;
  }
  worker->group = sim_group_create(&worker->dispatch);
  return worker->group != NULL;
}

static void release(struct worker *worker, struct sim_memory *memory) {
  sim_group_free(worker->group);
  if (worker->dispatch.scratch != 0)
    sim_memory_release(memory, worker->dispatch.scratch);
}

/* The calling thread is a worker, too; a thread that cannot be started is done without. */
static void run_workers(struct shared *shared) {
  for (unsigned i = 1; i < shared->count; ++i)
    shared->workers[i].started =
        pthread_create(&shared->workers[i].thread, NULL, work, &shared->workers[i]) == 0;
  work(&shared->workers[0]);
  for (unsigned i = 1; i < shared->count; ++i)
    if (shared->workers[i].started)
      pthread_join(shared->workers[i].thread, NULL);
}

static enum sim_launch_end host_out(const struct sim_launch *launch, struct sim_fault *fault) {
  snprintf(fault->text, sizeof fault->text,
           "kernel %.200s: no memory for the state of its workgroups; free some or set HIPSIM_THREADS lower",
           launch->function->kernel.name);
  return SIM_LAUNCH_HOST_OUT;
}

/* A launch under way, and what it has come to. */
struct work {
  uint64_t groups;
  struct records records;
  struct sim_counts counts;
  uint64_t hits[SIM_OP_COUNT];
};

/* Where the code object has lines, the report ends with the one of its instruction. */
static void add_line(const struct sim_launch *launch, struct sim_fault *fault) {
  char line[256];
  if (fault->at == 0 || launch->function->module == NULL)
    return;
  sim_module_line(launch->function->module, fault->at, line, sizeof line);
  const size_t used = strlen(fault->text);
  if (line[0] != '\0')
    snprintf(fault->text + used, sizeof fault->text - used, " (%s)", line);
}

static enum sim_launch_end gather(const struct sim_launch *launch, const struct shared *shared,
                                  struct work *work, struct sim_fault *fault) {
  const struct worker *failed = NULL;
  for (unsigned i = 0; i < shared->count; ++i) {
    const struct worker *worker = &shared->workers[i];
    add_counts(&work->counts, &worker->counts);
    sim_group_add_hits(worker->group, work->hits);
    if (worker->failed != UINT64_MAX && (failed == NULL || worker->failed < failed->failed))
      failed = worker;
  }
  if (failed == NULL)
    return SIM_LAUNCH_DONE;
  *fault = failed->fault;
  add_line(launch, fault);
  return failed->fault.budget ? SIM_LAUNCH_ENDLESS : SIM_LAUNCH_FAULT;
}

static enum sim_launch_end run_groups(const struct sim_launch *launch, const struct sim_dispatch *dispatch,
                                      struct work *work, struct sim_fault *fault) {
  const uint64_t groups = work->groups;
  struct shared shared = {
      .grid = dispatch->grid, .groups = groups, .records = &work->records, .lowest_failed = UINT64_MAX};
  const unsigned wanted = groups < launch->settings->threads ? (unsigned)groups : launch->settings->threads;
  shared.workers = calloc(wanted, sizeof *shared.workers);
  if (shared.workers == NULL)
    return host_out(launch, fault);
  bool ready = true;
  while (ready && shared.count < wanted) {
    ready = prepare(&shared.workers[shared.count], &shared, dispatch, launch->memory);
    ++shared.count;
  }
  enum sim_launch_end end;
  if (ready) {
    run_workers(&shared);
    end = gather(launch, &shared, work, fault);
  } else
    end = host_out(launch, fault);
  for (unsigned i = 0; i < shared.count; ++i)
    release(&shared.workers[i], launch->memory);
  free(shared.workers);
  return end;
}

static double model_ns(const struct sim_launch *launch, const struct sim_dispatch *dispatch,
                       const struct work *work) {
  const struct sim_model_input input = {
      .model = launch->settings->model,
      .kernel = &launch->function->kernel,
      .groups = work->groups,
      .block = launch->block[0] * launch->block[1] * launch->block[2],
      .dynamic_lds = (uint32_t)launch->dynamic_lds,
      .footprint = work->records.footprint,
      .counts = work->counts,
      .traces = work->records.trace,
      .trace_count = work->records.samples,
  };
  struct sim_model_time time;
  sim_model_launch(&input, &time);
  if (launch->settings->profile != NULL) {
    const struct sim_profile profile = {
        .input = &input, .time = &time, .grid = dispatch->grid, .block = dispatch->block, .hits = work->hits};
    sim_profile_write(launch->settings->profile, &profile);
  }
  return time.ns;
}

static void fill_dispatch(const struct sim_launch *launch, struct sim_dispatch *dispatch) {
  *dispatch = (struct sim_dispatch){
      .kernel = &launch->function->kernel,
      .memory = launch->memory,
      .arch = launch->settings->model->arch,
      .dynamic_lds = (uint32_t)launch->dynamic_lds,
      .compute_units = launch->settings->model->compute_units,
      .dies = launch->settings->model->dies,
      .budget = launch->settings->budget,
      .strict = launch->settings->check,
      .seed = launch->settings->schedule,
  };
  for (int axis = 0; axis < 3; ++axis) {
    dispatch->grid[axis] = (uint32_t)launch->grid[axis];
    dispatch->block[axis] = launch->block[axis];
  }
}

enum sim_launch_end sim_launch_run(const struct sim_launch *launch, double *ns, struct sim_counts *counts,
                                   struct sim_fault *fault) {
  struct sim_dispatch dispatch;
  fill_dispatch(launch, &dispatch);
  *ns = 0;
  memset(counts, 0, sizeof *counts);
  fault->text[0] = '\0';
  struct work *work = calloc(1, sizeof *work);
  const uint64_t arguments = work != NULL ? place_arguments(launch, &dispatch) : 0;
  if (arguments == 0) {
    free(work);
    return host_out(launch, fault);
  }
  work->groups = launch->grid[0] * launch->grid[1] * launch->grid[2];
  open_records(launch, &dispatch, work->groups, &work->records);
  const enum sim_launch_end end = run_groups(launch, &dispatch, work, fault);
  if (end == SIM_LAUNCH_DONE)
    *ns = model_ns(launch, &dispatch, work);
  *counts = work->counts;
  close_records(&work->records);
  free(work);
  sim_memory_release(launch->memory, arguments);
  return end;
}
