#include "bench/hipsim/sim_model.h"

#include <stdlib.h>

#include "bench/hipsim/sim_table.h"

/* What a launch costs by itself, from the packet to the first wave and from the last to the signal: a few
 * microseconds on these devices. */
#define LAUNCH_OVERHEAD_NS 2000.0
/* PCIe 4.0 x16, one way, and the call's own cost. */
#define HOST_GBPS            32.0
#define TRANSFER_OVERHEAD_NS 5000.0

enum { ISSUE_CLOCKS = 4, BARRIERS_CU = 16, SGPR_FILE = 800, SGPR_GRANULE = 16 };
/* Steps to replay in all, and how many of a loop in each wave. */
enum { LEAST_STEPS = 20000, MOST_STEPS = 400000, LONG_CUT = 1024, SHORT_CUT = 256 };

static uint32_t round_up(uint32_t value, uint32_t unit) {
  return (value + unit - 1) / unit * unit;
}

static uint32_t least(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

/* ---- occupancy (LLVM AMDGPUBaseInfo: getNumWavesPerEUWithNumVGPRs, getMaxNumSGPRs, getMaxWorkGroupsPerCU) ---- */

static uint32_t waves_by_vectors(const struct sim_arch_facts *facts, const struct sim_kernel *kernel) {
  uint32_t vectors = kernel->vgprs;
  if (facts->unified)
    vectors = kernel->agprs > 0 ? kernel->accum_offset + kernel->agprs : kernel->vgprs;
  return facts->vector_file / round_up(vectors > 0 ? vectors : 1, facts->vector_granule);
}

static uint32_t waves_by_scalars(const struct sim_kernel *kernel) {
  return kernel->sgprs > 0 ? SGPR_FILE / round_up(kernel->sgprs, SGPR_GRANULE) : UINT32_MAX;
}

uint32_t sim_waves_simd(enum sim_arch arch, const struct sim_kernel *kernel) {
  const struct sim_arch_facts *facts = sim_arch_facts(arch);
  return least(facts->wave_slots, least(waves_by_vectors(facts, kernel), waves_by_scalars(kernel)));
}

/* Workgroups that a CU holds by each limit; the least of them counts. */
struct limits {
  uint32_t waves, vgprs, sgprs, lds, barriers;
};

static struct limits limits_of(enum sim_arch arch, const struct sim_kernel *kernel, uint32_t block,
                               uint64_t dynamic_lds) {
  const struct sim_arch_facts *facts = sim_arch_facts(arch);
  const uint32_t waves = (block + SIM_LANES - 1) / SIM_LANES;
  const uint64_t lds = kernel->lds_bytes + dynamic_lds;
  struct limits limits = {.waves = facts->wave_slots * SIM_SIMDS / waves,
                          .vgprs = waves_by_vectors(facts, kernel) * SIM_SIMDS / waves,
                          .sgprs = UINT32_MAX,
                          .lds = UINT32_MAX,
                          .barriers = waves > 1 ? BARRIERS_CU : UINT32_MAX};
  if (kernel->sgprs > 0)
    limits.sgprs = waves_by_scalars(kernel) * SIM_SIMDS / waves;
  if (lds > facts->lds_bytes)
    limits.lds = 0;
  else if (lds > 0)
    limits.lds = facts->lds_bytes / round_up((uint32_t)lds, facts->lds_granule);
  return limits;
}

static uint32_t least_of(const struct limits *l) {
  return least(least(least(l->waves, l->vgprs), least(l->sgprs, l->lds)), l->barriers);
}

uint32_t sim_blocks_cu(enum sim_arch arch, const struct sim_kernel *kernel, uint32_t block,
                       uint64_t dynamic_lds) {
  if (block == 0 || block > SIM_BLOCK_MAX)
    return 0;
  const struct limits limits = limits_of(arch, kernel, block, dynamic_lds);
  return least_of(&limits);
}

const char *sim_blocks_limiter(enum sim_arch arch, const struct sim_kernel *kernel, uint32_t block,
                               uint64_t dynamic_lds) {
  const struct limits limits = limits_of(arch, kernel, block > 0 ? block : 1, dynamic_lds);
  const uint32_t blocks = least_of(&limits);
  if (blocks == limits.waves)
    return "waves";
  if (blocks == limits.lds)
    return "lds";
  if (blocks == limits.vgprs)
    return "vgprs";
  return blocks == limits.sgprs ? "sgprs" : "barriers";
}

/* ---- roofline, when there is no record ---- */

/* Clocks that one workgroup asks of each unit, on average. */
struct demand {
  double matrix, vector, scalar, lds; /* of a CU: matrix, vector and scalar already spread over its SIMDs */
  double alone;                       /* its slowest wave, if nothing else ran */
};

static struct demand demand_of(const struct sim_model_input *input) {
  const struct sim_counts *c = &input->counts;
  const double groups = (double)input->groups;
  const uint64_t waves_a_group = (input->block + SIM_LANES - 1) / SIM_LANES;
  const double waves = groups * (double)waves_a_group;
  const double issues = (double)(c->instructions - c->mfma - c->valu);
  return (struct demand){
      .matrix = (double)c->mfma_cycles / groups / SIM_SIMDS,
      .vector = (double)(c->valu_cycles + c->mfma * ISSUE_CLOCKS) / groups / SIM_SIMDS,
      /* A SIMD has its turn every fourth clock, and then issues one of each kind at most. */
      .scalar = (double)c->salu * ISSUE_CLOCKS / groups / SIM_SIMDS,
      .lds = (double)c->lds_cycles / groups,
      .alone = (issues * ISSUE_CLOCKS + (double)c->valu_cycles + (double)c->mfma_cycles) / waves,
  };
}

static double longest(double a, double b) {
  return a > b ? a : b;
}

/* Clocks of a CU that runs `blocks` workgroups at once. */
static double round_clocks(const struct demand *demand, double blocks) {
  const double shared =
      longest(longest(demand->matrix, demand->vector), longest(demand->scalar, demand->lds));
  return longest(demand->alone, shared * blocks);
}

static double roofline_clocks(const struct sim_model_input *input, uint64_t fit) {
  const struct demand demand = demand_of(input);
  const uint64_t cus = input->model->compute_units;
  const uint64_t rounds = input->groups / (cus * fit);
  const uint64_t rest = input->groups % (cus * fit);
  const uint64_t last = (rest + cus - 1) / cus; /* workgroups of the fullest CU in the last round */
  double clocks = (double)rounds * round_clocks(&demand, (double)fit);
  if (rest > 0)
    clocks += round_clocks(&demand, (double)last);
  return clocks;
}

/* ---- samples ---- */

/* More of a larger grid, so that recording costs about the same share of the launch. */
uint32_t sim_model_samples(uint64_t groups, uint64_t sample[SIM_MODEL_SAMPLES]) {
  static const uint64_t enough_for[SIM_MODEL_SAMPLES] = {1, 24, 96, 384};
  uint32_t count = 0;
  while (count < SIM_MODEL_SAMPLES && groups >= enough_for[count])
    ++count;
  if (count == 1)
    sample[0] = groups / 2;
  for (uint32_t i = 0; count > 1 && i < count; ++i)
    sample[i] = (uint64_t)((double)(groups - 1) / (count - 1) * i);
  if (count > 1)
    sample[count - 1] = groups - 1;
  return count;
}

static bool usable(const struct sim_model_input *input) {
  for (uint32_t i = 0; i < input->trace_count; ++i)
    if (input->traces[i].failed || input->traces[i].waves == 0 || input->traces[i].counts.instructions == 0)
      return false;
  return input->trace_count > 0;
}

static uint64_t steps_of(const struct sim_cu_trace *trace) {
  uint64_t steps = 0;
  for (uint32_t i = 0; i < trace->waves; ++i)
    steps += trace->wave[i].count;
  return steps;
}

/* How much of the workgroup's instructions are not in the record, as a factor. */
static double unrecorded(const struct sim_cu_trace *trace) {
  const uint64_t steps = steps_of(trace);
  return trace->complete || steps == 0 ? 1 : (double)trace->counts.instructions / (double)steps;
}

/* Clocks that a workgroup's instructions take one after another: a measure of its work. */
static double work_of(const struct sim_counts *c) {
  return (double)(c->instructions - c->mfma - c->valu) * ISSUE_CLOCKS + (double)c->valu_cycles +
         (double)c->mfma_cycles + (double)c->lds_cycles;
}

/* The mean workgroup's work over that in the records. */
static double scale_of(const struct sim_model_input *input) {
  double recorded = 0;
  for (uint32_t i = 0; i < input->trace_count; ++i)
    recorded += work_of(&input->traces[i].counts) / unrecorded(&input->traces[i]);
  recorded /= input->trace_count;
  return recorded > 0 ? work_of(&input->counts) / (double)input->groups / recorded : 1;
}

/* ---- traffic ---- */

static bool next_load(const struct sim_model_input *input, const struct sim_cu_wave *wave, uint32_t *at,
                      const struct sim_inst **inst) {
  for (; *at < wave->count; ++*at) {
    *inst = &input->kernel->code->at[wave->steps[*at].at];
    if (sim_class_of[(*inst)->op] == SIM_CLASS_LOAD)
      return true;
  }
  return false;
}

/* Lines of one record that miss an L1 of their own. The waves' loads take turns. */
static double misses_of(const struct sim_model_input *input, const struct sim_cu_trace *trace) {
  struct sim_cu_cache cache;
  struct sim_cu_line *held;
  uint32_t at[SIM_CU_MAX_WAVES] = {0};
  uint64_t misses = 0;
  sim_cu_cache_clear(&cache, input->model->arch);
  for (bool more = true; more;) {
    more = false;
    for (uint32_t w = 0; w < trace->waves; ++w) {
      const struct sim_inst *inst;
      if (!next_load(input, &trace->wave[w], &at[w], &inst))
        continue;
      const uint32_t *entry = &trace->lines[trace->wave[w].steps[at[w]++].extra];
      for (uint32_t i = 0; i < entry[0]; ++i)
        misses += (inst->flags & SIM_F_GLC) != 0 || !sim_cu_cache_touch(&cache, entry[2 + i], &held);
      more = true;
    }
  }
  return (double)misses * unrecorded(trace);
}

static double line_bytes(const struct sim_model_input *input) {
  return sim_arch_facts(input->model->arch)->line_bytes;
}

/* Bytes that the whole grid's loads ask of the L2. */
static double l2_read_bytes(const struct sim_model_input *input) {
  double misses = 0, lines = 0;
  for (uint32_t i = 0; i < input->trace_count; ++i) {
    misses += misses_of(input, &input->traces[i]);
    lines += (double)input->traces[i].counts.load_lines;
  }
  return lines > 0 ? misses / lines * (double)input->counts.load_lines * line_bytes(input) : 0;
}

/* The part of what was read before and is read again that is no longer in a cache of `capacity` bytes. */
static double lost(double footprint, double capacity) {
  return footprint > capacity ? 1 - capacity / footprint : 0;
}

static double smaller(double a, double b) {
  return a < b ? a : b;
}

static struct sim_model_traffic traffic_of(const struct sim_model_input *input) {
  const struct sim_model_facts *model = input->model;
  const double lines = (double)input->counts.load_lines * line_bytes(input);
  const double stored = (double)input->counts.store_lines * line_bytes(input);
  const double read = usable(input) ? l2_read_bytes(input) : lines;
  const double footprint = (double)input->footprint, once = smaller(read, footprint);
  const double dies = smaller(model->dies, (double)input->groups); /* workgroups take turns on them */
  const double each_die = smaller(read, once * dies);
  const double l2_misses = each_die + (read - each_die) * lost(footprint, (double)model->l2_bytes * dies);
  struct sim_model_traffic traffic = {.l1 = lines + stored,
                                      .l2_read = read,
                                      .l2_write = stored,
                                      .memory_read = l2_misses,
                                      .memory_write = (double)input->counts.store_bytes};
  if (model->last_level_gbps > 0) {
    traffic.last_read = l2_misses;
    traffic.memory_read = once + (l2_misses - once) * lost(footprint, (double)model->last_level_bytes);
  }
  return traffic;
}

/* ---- the busiest CU ---- */

static double bytes_a_clock(const struct sim_model_facts *model, double gbps) {
  return gbps * 1000.0 / model->clock_mhz;
}

/* What the L2 is seen to deliver. */
static double l2_bytes_clock(enum sim_arch arch) {
  const struct sim_arch_facts *facts = sim_arch_facts(arch);
  return facts->l2_bytes_clock * (facts->l2_percent / 100.0);
}

static double share_of(double part, double whole) {
  return whole > 0 ? smaller(part / whole, 1) : 0;
}

static struct sim_cu_memory memory_of(const struct sim_model_input *input,
                                      const struct sim_model_traffic *traffic) {
  const struct sim_model_facts *model = input->model;
  const double active =
      input->groups < model->compute_units ? (double)input->groups : (double)model->compute_units;
  const double memory = bytes_a_clock(model, model->memory_gbps * (model->memory_percent / 100.0));
  const double port = line_bytes(input); /* a line a clock */
  return (struct sim_cu_memory){
      .l2_bytes = smaller(port, l2_bytes_clock(model->arch) / active),
      .last_bytes = smaller(port, bytes_a_clock(model, model->last_level_gbps) / active),
      .memory_bytes = smaller(port, memory / active),
      .last_share = share_of(traffic->last_read, traffic->l2_read),
      .memory_share = share_of(traffic->memory_read, traffic->l2_read),
      .store_memory_share = share_of(traffic->memory_write, traffic->l2_write),
  };
}

/* How many workgroups are replayed: `rounds` full ones, and the rest of the last. */
struct plan {
  uint64_t blocks; /* of the busiest CU */
  uint32_t fit, rounds, rest;
  struct sim_cu_cut cuts[SIM_MODEL_SAMPLES];
};

static uint32_t planned(const struct plan *plan) {
  return plan->rounds * plan->fit + plan->rest;
}

static double planned_steps(const struct sim_model_input *input, const struct plan *plan) {
  uint64_t steps = 0;
  for (uint32_t i = 0; i < input->trace_count; ++i)
    steps += plan->cuts[i].steps;
  return (double)steps / input->trace_count * planned(plan);
}

static void cut_loops(const struct sim_model_input *input, struct plan *plan, uint32_t keep) {
  for (uint32_t i = 0; i < input->trace_count; ++i)
    sim_cu_cut_find(&input->traces[i], keep, &plan->cuts[i]);
}

/* Replaying costs a small multiple of executing an instruction: about a sixteenth of the launch's instructions are
 * replayed, and some ten thousand in any case. */
static void make_plan(const struct sim_model_input *input, uint64_t fit, struct plan *plan) {
  const uint64_t cus = input->model->compute_units;
  double budget = (double)input->counts.instructions / 16;
  budget = smaller(longest(budget, LEAST_STEPS), MOST_STEPS);
  plan->blocks = (input->groups + cus - 1) / cus;
  plan->fit = (uint32_t)(plan->blocks < fit ? plan->blocks : fit);
  if (plan->fit == 0)
    plan->fit = 1; /* an empty grid */
  plan->rounds = plan->blocks >= 2 * (uint64_t)plan->fit ? 2 : 1;
  plan->rest = (uint32_t)(plan->blocks % plan->fit);
  cut_loops(input, plan, LONG_CUT);
  if (planned_steps(input, plan) > budget)
    cut_loops(input, plan, SHORT_CUT);
  if (planned_steps(input, plan) > budget && plan->rounds + (plan->rest > 0) > 1) {
    plan->rounds = 1;
    plan->rest = 0;
  }
}

static double extrapolate(const struct plan *plan, const struct sim_cu_block *blocks) {
  const double clocks = sim_cu_clocks(blocks, planned(plan));
  const uint64_t rounds = plan->blocks / plan->fit, rest = plan->blocks % plan->fit;
  const double last = sim_cu_clocks(blocks, plan->rounds * plan->fit) -
                      (plan->rounds > 1 ? sim_cu_clocks(blocks, plan->fit) : 0);
  const bool rest_is_in = rest == plan->rest;
  return clocks + last * ((double)(rounds - plan->rounds) + (rest_is_in ? 0 : 1));
}

static bool replay(const struct sim_model_input *input, uint64_t fit, struct sim_model_time *time) {
  struct plan *plan = calloc(1, sizeof *plan);
  if (plan == NULL)
    return false;
  make_plan(input, fit, plan);
  struct sim_cu_block *blocks = calloc(planned(plan), sizeof *blocks);
  const struct sim_cu_job job = {.arch = input->model->arch,
                                 .code = input->kernel->code,
                                 .traces = input->traces,
                                 .cuts = plan->cuts,
                                 .trace_count = input->trace_count,
                                 .slots = plan->fit,
                                 .blocks = planned(plan),
                                 .memory = memory_of(input, &time->traffic)};
  const bool done = blocks != NULL && sim_cu_replay(&job, blocks, &time->replay) == 0;
  if (done)
    time->clocks = extrapolate(plan, blocks) * scale_of(input);
  free(blocks);
  free(plan);
  return done;
}

/* ---- the whole ---- */

void sim_model_launch(const struct sim_model_input *input, struct sim_model_time *time) {
  const struct sim_model_facts *model = input->model;
  const uint64_t cus = model->compute_units;
  const uint32_t blocks = sim_blocks_cu(model->arch, input->kernel, input->block, input->dynamic_lds);
  const uint64_t fit = blocks > 0 ? blocks : 1;
  *time = (struct sim_model_time){
      .blocks_cu = blocks, .blocks_busiest = (input->groups + cus - 1) / cus, .traffic = traffic_of(input)};
  time->replayed = usable(input) && replay(input, fit, time);
  if (!time->replayed)
    time->clocks = roofline_clocks(input, fit);
  const struct sim_model_traffic *traffic = &time->traffic;
  const double memory_gbps = model->memory_gbps * (model->memory_percent / 100.0);
  const double l2_gbps = l2_bytes_clock(model->arch) * model->clock_mhz / 1000.0;
  time->cu_ns = time->clocks * 1000.0 / model->clock_mhz;
  time->l2_ns = (traffic->l2_read + traffic->l2_write) / l2_gbps;
  time->memory_ns = (traffic->memory_read + traffic->memory_write) / memory_gbps;
  if (model->last_level_gbps > 0)
    time->memory_ns = longest(time->memory_ns, traffic->last_read / model->last_level_gbps);
  time->ns = LAUNCH_OVERHEAD_NS + longest(time->cu_ns, longest(time->l2_ns, time->memory_ns));
}

double sim_model_launch_ns(const struct sim_model_input *input) {
  struct sim_model_time time;
  sim_model_launch(input, &time);
  return time.ns;
}

double sim_model_transfer_ns(uint64_t bytes) {
  return TRANSFER_OVERHEAD_NS + (double)bytes / HOST_GBPS;
}

double sim_model_fill_ns(const struct sim_model_facts *model, uint64_t bytes) {
  return LAUNCH_OVERHEAD_NS + (double)bytes / model->memory_gbps;
}
