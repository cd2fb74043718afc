#include "bench/hipsim/sim_model.h"

/* What a launch costs by itself, from the packet to the first wave and from the last to the signal: a few
 * microseconds on these devices. */
#define LAUNCH_OVERHEAD_NS 2000.0
/* PCIe 4.0 x16, one way, and the call's own cost. */
#define HOST_GBPS            32.0
#define TRANSFER_OVERHEAD_NS 5000.0

enum { ISSUE_CLOCKS = 4, BARRIERS_CU = 16, SGPR_FILE = 800, SGPR_GRANULE = 16, LINE_BYTES = 64 };

static uint32_t round_up(uint32_t value, uint32_t unit) {
  return (value + unit - 1) / unit * unit;
}

static uint32_t least(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

/* ---- occupancy (LLVM AMDGPUBaseInfo: getNumWavesPerEUWithNumVGPRs, getMaxNumSGPRs, getMaxWorkGroupsPerCU) ---- */

uint32_t sim_waves_simd(enum sim_arch arch, const struct sim_kernel *kernel) {
  const struct sim_arch_facts *facts = sim_arch_facts(arch);
  uint32_t vectors = kernel->vgprs;
  if (facts->unified)
    vectors = kernel->agprs > 0 ? kernel->accum_offset + kernel->agprs : kernel->vgprs;
  vectors = round_up(vectors > 0 ? vectors : 1, facts->vector_granule);
  uint32_t waves = least(facts->wave_slots, facts->vector_file / vectors);
  if (kernel->sgprs > 0)
    waves = least(waves, SGPR_FILE / round_up(kernel->sgprs, SGPR_GRANULE));
  return waves;
}

uint32_t sim_blocks_cu(enum sim_arch arch, const struct sim_kernel *kernel, uint32_t block,
                       uint64_t dynamic_lds) {
  const struct sim_arch_facts *facts = sim_arch_facts(arch);
  if (block == 0 || block > SIM_BLOCK_MAX)
    return 0;
  const uint32_t waves = (block + SIM_LANES - 1) / SIM_LANES;
  uint32_t blocks = sim_waves_simd(arch, kernel) * SIM_SIMDS / waves;
  if (waves > 1) /* each needs a barrier */
    blocks = least(blocks, BARRIERS_CU);
  const uint64_t lds = kernel->lds_bytes + dynamic_lds;
  if (lds > facts->lds_bytes)
    return 0;
  if (lds > 0)
    blocks = least(blocks, facts->lds_bytes / round_up((uint32_t)lds, facts->lds_granule));
  return blocks;
}

/* ---- time ---- */

/* Clocks that one workgroup asks of each unit, on average. */
struct demand {
  double matrix, vector, scalar, lds; /* of a CU: matrix, vector and scalar already spread over its SIMDs */
  double alone;                       /* its slowest wave, if nothing else ran */
};

static struct demand demand_of(const struct sim_model_input *input) {
  const struct sim_counts *c = &input->counts;
  const double groups = (double)input->groups;
  const double waves = groups * (double)((input->block + SIM_LANES - 1) / SIM_LANES);
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

static double compute_ns(const struct sim_model_input *input) {
  const struct demand demand = demand_of(input);
  const uint64_t cus = input->model->compute_units;
  uint64_t fit = sim_blocks_cu(input->model->arch, input->kernel, input->block, input->dynamic_lds);
  if (fit == 0)
    fit = 1;
  const uint64_t rounds = input->groups / (cus * fit);
  const uint64_t rest = input->groups % (cus * fit);
  double clocks = (double)rounds * round_clocks(&demand, (double)fit);
  if (rest > 0)
    clocks += round_clocks(&demand, (double)((rest + cus - 1) / cus));
  return clocks * 1000.0 / input->model->clock_mhz;
}

static double l2_ns(const struct sim_model_input *input) {
  const double bytes = (double)(input->counts.load_lines + input->counts.store_lines) * LINE_BYTES;
  const double bytes_ns =
      sim_arch_facts(input->model->arch)->l2_bytes_clock * (double)input->model->clock_mhz / 1000.0;
  return bytes / bytes_ns;
}

static double memory_ns(const struct sim_model_input *input) {
  const uint64_t lines = input->counts.load_lines * LINE_BYTES;
  const uint64_t read = lines < input->footprint ? lines : input->footprint;
  return ((double)read + (double)input->counts.store_bytes) / input->model->memory_gbps;
}

double sim_model_launch_ns(const struct sim_model_input *input) {
  return LAUNCH_OVERHEAD_NS + longest(compute_ns(input), longest(l2_ns(input), memory_ns(input)));
}

double sim_model_transfer_ns(uint64_t bytes) {
  return TRANSFER_OVERHEAD_NS + (double)bytes / HOST_GBPS;
}

double sim_model_fill_ns(const struct sim_model_facts *model, uint64_t bytes) {
  return LAUNCH_OVERHEAD_NS + (double)bytes / model->memory_gbps;
}
