/* A workgroup: its waves, their initial registers, LDS, barriers and the order in which waves run.
 *
 * Initial registers: LLVM AMDGPUUsage, "Kernel Descriptor" and "Initial Kernel Execution State". */
#include "bench/hipsim/sim_wave.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/hipsim/sim_bank.h"
#include "bench/hipsim/sim_check.h"
#include "bench/hipsim/sim_cu_trace.h"
#include "bench/hipsim/sim_device.h"
#include "bench/hipsim/sim_hwreg.h"
#include "bench/hipsim/sim_lds.h"
#include "bench/hipsim/sim_registers.h"
#include "bench/hipsim/sim_table.h"

typedef void run_function(struct sim_wave *w, uint64_t count);

enum {
  REGISTERS = 512, /* VGPRs and AGPRs of a wave */
  /* Waves' registers lie this much apart: not a multiple of a power of two, or the same register of every
   * wave would fall into the same sets of the host's caches. The 32 are for operands of up to 1024 bits that
   * begin at the last register: wrong, but no access outside of the allocation. */
  WAVE_STRIDE = REGISTERS + 32 + 5,
  QUANTUM = 1 << 16,  /* instructions of a wave's turn: long, but a wave that spins on another lets it run */
  SHORT_QUANTUM = 64, /* longest turn when HIPSIM_SCHEDULE shuffles */
};

struct sim_group {
  const struct sim_dispatch *dispatch;
  uint32_t waves, work_items;
  run_function *run;
  sim_vreg *registers;
  uint8_t *lds;
  uint32_t lds_bytes;
  struct sim_lds_shadow *shadow;
  struct sim_check *check;
  bool mfma_fast;
  const struct sim_inst *excess; /* names a register that the kernel does not declare */
  uint64_t random;
  struct sim_bank_memory banks;
  struct sim_wave wave[SIM_MAX_WAVES];
  struct sim_cu_trace *trace;      /* NULL: this workgroup is not recorded */
  uint64_t hits[SIM_OP_COUNT + 1]; /* the last: what did not decode */
  uint64_t all_hits[SIM_OP_COUNT]; /* of the workgroups before */
};

/* ---- memory ---- */

static uint32_t lane_scratch_bytes(const struct sim_kernel *kernel) {
  return (kernel->scratch_bytes + 3u) & ~UINT32_C(3);
}

static uint32_t wave_count(uint32_t work_items) {
  return (work_items + SIM_LANES - 1u) / SIM_LANES;
}

size_t sim_group_scratch_bytes(const struct sim_kernel *kernel, uint32_t work_items) {
  return (size_t)wave_count(work_items) * SIM_LANES * lane_scratch_bytes(kernel);
}

static run_function *run_of_variant(void) {
  const char *name = sim_variant_name();
  if (strcmp(name, "avx512") == 0) {
    return sim_run_avx512;
  }
  return strcmp(name, "avx2") == 0 ? sim_run_avx2 : sim_run_generic;
}

static bool checks_registers(const struct sim_dispatch *dispatch) {
  return dispatch->strict && !dispatch->lenient;
}

static bool allocate(struct sim_group *group) {
  size_t lds_size = ((size_t)group->lds_bytes + 63u + 64u) & ~(size_t)63;
  group->registers = aligned_alloc(64, sizeof(sim_vreg) * WAVE_STRIDE * group->waves);
  group->lds = aligned_alloc(64, lds_size);
  if (group->registers == NULL || group->lds == NULL) {
    return false;
  }
  if (group->dispatch->strict) {
    group->shadow = sim_lds_create(group->lds_bytes, group->waves);
  }
  if (checks_registers(group->dispatch)) {
    group->check = sim_check_create(group->dispatch->kernel->code, group->dispatch->arch, group->waves);
  }
  return (!group->dispatch->strict || group->shadow != NULL) &&
         (!checks_registers(group->dispatch) || group->check != NULL);
}

struct sim_group *sim_group_create(const struct sim_dispatch *dispatch) {
  uint64_t work_items = (uint64_t)dispatch->block[0] * dispatch->block[1] * dispatch->block[2];
  uint64_t lds_bytes = (uint64_t)dispatch->kernel->lds_bytes + dispatch->dynamic_lds;
  if (work_items == 0 || work_items > SIM_MAX_WAVES * SIM_LANES || lds_bytes > UINT32_MAX / 2) {
    return NULL; /* the HIP side refuses such launches */
  }
  struct sim_group *group = calloc(1, sizeof *group);
  if (group == NULL) {
    return NULL;
  }
  group->dispatch = dispatch;
  group->work_items = (uint32_t)work_items;
  group->waves = wave_count(group->work_items);
  group->lds_bytes = (uint32_t)lds_bytes;
  group->run = checks_registers(dispatch) ? sim_check_run : run_of_variant();
  group->excess = sim_registers_excess(dispatch->kernel);
  const char *mfma = getenv("HIPSIM_MFMA");
  group->mfma_fast = mfma != NULL && strcmp(mfma, "fast") == 0;
  if (!allocate(group)) {
    sim_group_free(group);
    return NULL;
  }
  return group;
}

void sim_group_free(struct sim_group *group) {
  if (group != NULL) {
    sim_lds_free(group->shadow);
    sim_check_free(group->check);
    free(group->registers);
    free(group->lds);
    free(group);
  }
}

/* ---- initial registers ---- */

/* kernel_code_properties: a bit for each piece of user data, in the order of the SGPRs they fill. */
enum {
  HAS_PRIVATE_SEGMENT_BUFFER = 1 << 0,
  HAS_DISPATCH_PTR = 1 << 1,
  HAS_QUEUE_PTR = 1 << 2,
  HAS_KERNARG_PTR = 1 << 3,
  HAS_DISPATCH_ID = 1 << 4,
  HAS_FLAT_SCRATCH_INIT = 1 << 5,
  HAS_PRIVATE_SEGMENT_SIZE = 1 << 6,
};

/* COMPUTE_PGM_RSRC2 */
enum {
  RSRC2_SCRATCH_WAVE_OFFSET = 1 << 0,
  RSRC2_USER_SGPRS_SHIFT = 1,
  RSRC2_GROUP_ID_X = 1 << 7,
  RSRC2_GROUP_INFO = 1 << 10,
  RSRC2_ITEM_ID_SHIFT = 11,
};

struct sgpr_cursor {
  struct sim_wave *w;
  unsigned next;
};

static void put32(struct sgpr_cursor *cursor, uint32_t value) {
  if (cursor->next < SIM_FLAT_SCRATCH_LO) {
    cursor->w->s[cursor->next++] = value;
  }
}

static void put64(struct sgpr_cursor *cursor, uint64_t value) {
  put32(cursor, (uint32_t)value);
  put32(cursor, (uint32_t)(value >> 32));
}

/* The buffer resource of the scratch of the workgroup: swizzled, the lane's number added, 4-byte elements, 64
 * to a stripe. Its range is the scratch of all waves. It has no data format: with lanes' numbers those bits are the stride's. */
static void put_private_segment_buffer(struct sgpr_cursor *cursor, const struct sim_group *group) {
  enum { SWIZZLE = 1u << 31, STRIPE_64 = 3u << 21, ADD_LANE = 1u << 23, UINT = 4u << 12 };
  uint64_t base = group->dispatch->scratch;
  put32(cursor, (uint32_t)base);
  put32(cursor, (uint32_t)(base >> 32 & 0xffffu) | SWIZZLE);
  put32(cursor, (uint32_t)sim_group_scratch_bytes(group->dispatch->kernel, group->work_items));
  put32(cursor, STRIPE_64 | ADD_LANE | UINT);
}

static void set_user_sgprs(struct sgpr_cursor *cursor, const struct sim_group *group) {
  const struct sim_dispatch *d = group->dispatch;
  unsigned has = d->kernel->properties;
  if (has & HAS_PRIVATE_SEGMENT_BUFFER) {
    put_private_segment_buffer(cursor, group);
  }
  if (has & HAS_DISPATCH_PTR) {
    put64(cursor, d->packet);
  }
  if (has & HAS_QUEUE_PTR) {
    put64(cursor, d->queue);
  }
  if (has & HAS_KERNARG_PTR) {
    put64(cursor, d->kernarg);
  }
  if (has & HAS_DISPATCH_ID) {
    put64(cursor, 0);
  }
  if (has & HAS_FLAT_SCRATCH_INIT) {
    put64(cursor, d->scratch);
  }
  if (has & HAS_PRIVATE_SEGMENT_SIZE) {
    put32(cursor, lane_scratch_bytes(d->kernel));
  }
}

static void set_system_sgprs(struct sgpr_cursor *cursor, const struct sim_group *group) {
  const struct sim_wave *w = cursor->w;
  uint32_t rsrc2 = group->dispatch->kernel->rsrc2;
  cursor->next = rsrc2 >> RSRC2_USER_SGPRS_SHIFT & 31u;
  for (unsigned axis = 0; axis < 3; axis++) {
    if (rsrc2 & (uint32_t)RSRC2_GROUP_ID_X << axis) {
      put32(cursor, w->id[axis]);
    }
  }
  if (rsrc2 & RSRC2_GROUP_INFO) {
    /* first wave, ordered append term, threadgroup size in waves */
    put32(cursor, (w->number == 0 ? 1u << 31 : 0u) | group->waves);
  }
  if (rsrc2 & RSRC2_SCRATCH_WAVE_OFFSET) {
    put32(cursor, (uint32_t)(w->scratch - group->dispatch->scratch));
  }
}

static void set_work_item_ids(struct sim_wave *w, const struct sim_group *group) {
  const struct sim_dispatch *d = group->dispatch;
  bool packed = d->arch != SIM_GFX908;
  unsigned last_axis = d->kernel->rsrc2 >> RSRC2_ITEM_ID_SHIFT & 3u;
  for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
    uint32_t item = w->number * SIM_LANES + lane;
    uint32_t id[3] = {item % d->block[0], item / d->block[0] % d->block[1], item / d->block[0] / d->block[1]};
    for (unsigned axis = 0; axis < 3 && axis <= last_axis; axis++) {
      if (!packed) {
        w->v[axis][lane] = id[axis];
      } else if (axis == 0) {
        w->v[0][lane] = id[0];
      } else {
        w->v[0][lane] |= id[axis] << 10 * axis;
      }
    }
  }
}

static void fill32(uint32_t *words, size_t count, uint32_t value) {
  for (size_t i = 0; i < count; i++) {
    words[i] = value;
  }
}

static void set_exec(struct sim_wave *w, const struct sim_group *group) {
  uint32_t lanes = group->work_items - w->number * SIM_LANES;
  sim_write_s64(w, SIM_EXEC_LO, lanes >= SIM_LANES ? ~UINT64_C(0) : (UINT64_C(1) << lanes) - 1u);
}

/* MODE: round and denormal bits (rsrc1 19:12), DX10_CLAMP (21), IEEE (23), FP16_OVFL (26) */
static uint32_t initial_mode(uint32_t rsrc1) {
  return (rsrc1 >> 12 & 0xffu) | (rsrc1 >> 21 & 1u) << 8 | (rsrc1 >> 23 & 1u) << 9 | (rsrc1 >> 26 & 1u) << 23;
}

static void set_registers(struct sim_wave *w, const struct sim_group *group) {
  const struct sim_kernel *kernel = group->dispatch->kernel;
  fill32(w->v[0], (size_t)SIM_LANES * (w->vgprs < 256 ? w->vgprs : 256), SIM_REGISTER_POISON);
  fill32(w->v[256], (size_t)SIM_LANES * (w->agprs < 256 ? w->agprs : 256), SIM_REGISTER_POISON);
  fill32(w->s, sizeof w->s / sizeof w->s[0], SIM_REGISTER_POISON);
  w->scc = 0;
  w->mode = initial_mode(kernel->rsrc1);
  set_exec(w, group);
  if (group->dispatch->arch >= SIM_GFX942) { /* architected flat scratch: hardware sets the base */
    sim_write_s64(w, SIM_FLAT_SCRATCH_LO, w->scratch);
  }
  struct sgpr_cursor cursor = {.w = w};
  set_user_sgprs(&cursor, group);
  uint32_t user = cursor.next;
  set_system_sgprs(&cursor, group);
  set_work_item_ids(w, group);
  if (w->check != NULL) {
    uint32_t ids = group->dispatch->arch != SIM_GFX908 ? 1 : 1u + (kernel->rsrc2 >> RSRC2_ITEM_ID_SHIFT & 3u);
    sim_check_start(w->check, w, user, kernel->rsrc2 >> RSRC2_USER_SGPRS_SHIFT & 31u, cursor.next, ids);
  }
}

static void start_wave(struct sim_group *group, uint32_t number, const uint32_t id[3],
                       struct sim_counts *counts, struct sim_fault *fault) {
  const struct sim_dispatch *d = group->dispatch;
  const struct sim_kernel *kernel = d->kernel;
  struct sim_wave *w = &group->wave[number];
  *w = (struct sim_wave){
      .v = group->registers + (size_t)WAVE_STRIDE * number,
      .state = SIM_RUNNING,
      .pc = kernel->entry,
      .number = number,
      .vgprs = kernel->vgprs,
      .agprs = kernel->agprs,
      .sgprs = kernel->sgprs,
      .group = group,
      .dispatch = d,
      .memory = d->memory,
      .code = kernel->code,
      .counts = counts,
      .lds = group->lds,
      .lds_bytes = group->lds_bytes,
      .lds_shadow = group->shadow,
      .check = group->check,
      .banks = &group->banks,
      .scratch = d->scratch + (uint64_t)number * SIM_LANES * lane_scratch_bytes(kernel),
      .id = {id[0], id[1], id[2]},
      .hits = group->hits,
      .line_bits = (uint8_t)__builtin_ctz(sim_arch_facts(d->arch)->line_bytes),
      .mfma_fast = group->mfma_fast,
      .fault = fault,
  };
  set_registers(w, group);
}

static int report_excess(struct sim_group *group) {
  const struct sim_kernel *kernel = group->dispatch->kernel;
  struct sim_registers named = sim_registers_of(group->excess);
  const char *file = named.sgprs > kernel->sgprs ? "SGPRs" : named.vgprs > kernel->vgprs ? "VGPRs" : "AGPRs";
  unsigned want = file[0] == 'S' ? named.sgprs : file[0] == 'V' ? named.vgprs : named.agprs;
  unsigned have = file[0] == 'S' ? kernel->sgprs : file[0] == 'V' ? kernel->vgprs : kernel->agprs;
  group->wave[0].now = group->excess;
  sim_wave_fault(&group->wave[0], -1, "an instruction needs %u %s, and the kernel declares %u", want, file,
                 have);
  return -1;
}

/* ---- running ---- */

/* xorshift64*: any sequence will do that differs with the seed. */
static uint32_t next_random(struct sim_group *group) {
  group->random ^= group->random >> 12;
  group->random ^= group->random << 25;
  group->random ^= group->random >> 27;
  return (uint32_t)(group->random * UINT64_C(2685821657736338717) >> 32);
}

static uint64_t mix(uint64_t value) {
  value = (value ^ value >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  value = (value ^ value >> 27) * UINT64_C(0x94d049bb133111eb);
  return value ^ value >> 31;
}

static void seed_random(struct sim_group *group, const uint32_t id[3]) {
  uint64_t place = (uint64_t)id[2] << 42 ^ (uint64_t)id[1] << 21 ^ id[0];
  group->random = mix(group->dispatch->seed + mix(place)) | 1u;
}

static void shuffle(struct sim_group *group, uint32_t order[]) {
  for (uint32_t left = group->waves; left > 1; left--) {
    uint32_t i = left - 1, j = next_random(group) % left;
    uint32_t swapped = order[i];
    order[i] = order[j];
    order[j] = swapped;
  }
}

/* Waves that have ended count as arrived, as on hardware. */
static void release_barrier(struct sim_group *group) {
  if (group->shadow != NULL) {
    sim_lds_barrier(group->shadow);
  }
  if (group->check != NULL) {
    sim_check_barrier(group->check);
  }
  for (uint32_t i = 0; i < group->waves; i++) {
    if (group->wave[i].state == SIM_AT_BARRIER) {
      group->wave[i].state = SIM_RUNNING;
    }
  }
}

static uint64_t turn_length(struct sim_group *group, uint64_t left) {
  uint64_t turn = group->dispatch->seed == 0 ? QUANTUM : 1u + next_random(group) % SHORT_QUANTUM;
  return turn < left ? turn : left;
}

/* How many waves are in each state after every running one had a turn. */
struct census {
  uint32_t in[SIM_FAULTED + 1];
};

static struct census run_round(struct sim_group *group, uint32_t order[], uint64_t *left) {
  struct census census = {{0}};
  if (group->dispatch->seed != 0) {
    shuffle(group, order);
  }
  for (uint32_t i = 0; i < group->waves && census.in[SIM_FAULTED] == 0; i++) {
    struct sim_wave *w = &group->wave[order[i]];
    if (w->state == SIM_RUNNING && *left > 0) {
      uint64_t before = w->executed;
      if (group->trace == NULL) {
        group->run(w, turn_length(group, *left));
      } else {
        sim_cu_record(group->trace, w, group->run, turn_length(group, *left));
      }
      *left -= w->executed - before;
    }
    census.in[w->state]++;
  }
  return census;
}

static void report_budget(struct sim_group *group, struct sim_fault *fault) {
  uint32_t i = 0;
  while (i + 1 < group->waves && group->wave[i].state != SIM_RUNNING) {
    i++;
  }
  char waiting[64] = "";
  for (uint32_t j = 0; j < group->waves; j++) {
    if (group->wave[j].state == SIM_AT_BARRIER) {
      snprintf(waiting, sizeof waiting, "; wave %u waits for it at a barrier", j);
      break;
    }
  }
  sim_wave_fault(&group->wave[i], -1,
                 "the workgroup has executed %llu instructions and does not end (an endless loop?)%s",
                 (unsigned long long)group->dispatch->budget, waiting);
  fault->budget = true;
}

/* A wave waits at a barrier that another will never reach. gfx9 lets it go on; a program that relies on it breaks
 * elsewhere, and is seldom meant. */
static void report_absence(struct sim_group *group) {
  uint32_t waits = 0, ended = 0;
  while (group->wave[waits].state != SIM_AT_BARRIER) {
    waits++;
  }
  while (group->wave[ended].state != SIM_ENDED) {
    ended++;
  }
  sim_wave_fault(&group->wave[waits], -1,
                 "wave %u has ended without reaching the barrier that wave %u waits at", ended, waits);
}

static bool told_to_stop(const struct sim_dispatch *d) {
  return d->stop != NULL && atomic_load_explicit(d->stop, memory_order_relaxed);
}

static int run_waves(struct sim_group *group, struct sim_fault *fault) {
  uint64_t left = group->dispatch->budget == 0 ? UINT64_MAX : group->dispatch->budget;
  uint32_t order[SIM_MAX_WAVES];
  for (uint32_t i = 0; i < group->waves; i++) {
    order[i] = i;
  }
  for (;;) {
    struct census census = run_round(group, order, &left);
    if (census.in[SIM_FAULTED] != 0) {
      return -1;
    }
    if (census.in[SIM_RUNNING] == 0) {
      if (census.in[SIM_AT_BARRIER] == 0) {
        return 0;
      }
      if (group->check != NULL && census.in[SIM_ENDED] != 0) {
        report_absence(group);
        return -1;
      }
      release_barrier(group);
    } else if (left == 0) {
      report_budget(group, fault);
      return -1;
    }
    if (told_to_stop(group->dispatch)) {
      snprintf(fault->text, sizeof fault->text, "kernel %s: stopped, since another workgroup failed",
               group->dispatch->kernel->name);
      return -1;
    }
  }
}

/* ---- counts ---- */

/* Which member of sim_counts a class adds to. */
static const size_t member_of[SIM_CLASSES] = {
    [SIM_CLASS_SALU] = offsetof(struct sim_counts, salu),
    [SIM_CLASS_VALU] = offsetof(struct sim_counts, valu),
    [SIM_CLASS_SMEM] = offsetof(struct sim_counts, smem),
    [SIM_CLASS_LOAD] = offsetof(struct sim_counts, vmem_load),
    [SIM_CLASS_STORE] = offsetof(struct sim_counts, vmem_store),
    [SIM_CLASS_LDS] = offsetof(struct sim_counts, lds),
    [SIM_CLASS_MFMA] = offsetof(struct sim_counts, mfma),
    [SIM_CLASS_BRANCH] = offsetof(struct sim_counts, branch),
    [SIM_CLASS_BARRIER] = offsetof(struct sim_counts, barrier),
    [SIM_CLASS_OTHER] = offsetof(struct sim_counts, other),
};

/* The run loop counts executions by instruction; classes and cycles follow from them once a workgroup. */
static void add_hits(struct sim_group *group, struct sim_counts *counts) {
  const uint8_t *cycles = sim_cycles_of[group->dispatch->arch];
  for (unsigned op = 0; op < SIM_OP_COUNT; op++) {
    uint64_t hits = group->hits[op];
    if (hits == 0) {
      continue;
    }
    counts->instructions += hits;
    group->all_hits[op] += hits;
    *(uint64_t *)(void *)((char *)counts + member_of[sim_class_of[op]]) += hits;
    if (sim_class_of[op] == SIM_CLASS_VALU) {
      counts->valu_cycles += hits * cycles[op];
    } else if (sim_class_of[op] == SIM_CLASS_MFMA) {
      counts->mfma_cycles += hits * cycles[op];
    }
  }
}

void sim_group_record(struct sim_group *group, struct sim_cu_trace *trace) {
  group->trace = trace;
}

void sim_group_add_hits(const struct sim_group *group, uint64_t *hits) {
  for (unsigned op = 0; op < SIM_OP_COUNT; op++) {
    hits[op] += group->all_hits[op];
  }
}

int sim_group_run(struct sim_group *group, const struct sim_dispatch *dispatch, const uint32_t id[3],
                  struct sim_counts *counts, struct sim_fault *fault) {
  group->dispatch = dispatch;
  *fault = (struct sim_fault){.budget = false};
  memset(group->hits, 0, sizeof group->hits);
  fill32((uint32_t *)(void *)group->lds, (group->lds_bytes + 3u) / 4u, SIM_REGISTER_POISON);
  if (group->shadow != NULL) {
    sim_lds_reset(group->shadow);
  }
  if (group->check != NULL) {
    sim_check_reset(group->check);
  }
  seed_random(group, id);
  for (uint32_t i = 0; i < group->waves; i++) {
    start_wave(group, i, id, counts, fault);
  }
  if (group->excess != NULL) {
    return report_excess(group);
  }
  if (sim_hwreg_unknown_mode(group->wave[0].mode) != 0) {
    sim_wave_fault(&group->wave[0], -1,
                   "the kernel begins with MODE 0x%x: rounding other than to the nearest even and clamped "
                   "overflow are not simulated",
                   group->wave[0].mode);
    return -1;
  }
  int status = run_waves(group, fault);
  add_hits(group, counts);
  return status;
}

/* ---- reports ---- */

void sim_wave_fault(struct sim_wave *w, int lane, const char *format, ...) {
  if (w->state == SIM_FAULTED) {
    return; /* the first mistake is the one to tell */
  }
  w->state = SIM_FAULTED;
  char what[320], where[128] = "?";
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  uint64_t address = w->dispatch->kernel->entry;
  if (w->now != NULL) {
    address = w->code->base + 4u * (uint64_t)(w->now - w->code->at);
  }
  w->fault->at = address;
  sim_code_disassemble(w->code, address, where, sizeof where);
  char lane_text[24] = "";
  if (lane >= 0) {
    snprintf(lane_text, sizeof lane_text, ", lane %d", lane);
  }
  snprintf(w->fault->text, sizeof w->fault->text,
           "kernel %.160s: %s, in `%s` at offset 0x%llx of the kernel, workgroup (%u,%u,%u), wave %u%s",
           w->dispatch->kernel->name, what, where, (unsigned long long)(address - w->dispatch->kernel->entry),
           w->id[0], w->id[1], w->id[2], w->number, lane_text);
}
