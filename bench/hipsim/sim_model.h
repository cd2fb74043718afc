/* The modelled duration of a launch. It depends on nothing of the host.
 *
 *   T = overhead + max(busiest CU, L2, memory)
 *
 * busiest CU: a few workgroups are recorded while they execute (sim_cu_trace.h) and replayed on a model of one CU
 *   (sim_cu.h), as many at a time as fit, for one or two rounds and the rest that the last round has; the rounds in
 *   between take what the last whole one took. Long loops are replayed in part (sim_cu_loop.h). The result is scaled by
 *   the work of all workgroups against that of the recorded ones, both counted exactly.
 * L2, memory: bytes of the whole grid at the device's rates. What misses the L1 comes from the recorded lines; each
 *   buffer that the arguments point at is read from memory once at most, more often when it does not fit into the caches.
 *
 * Without a record (memory ran out) a roofline over the counts takes the place of the replay. */
#ifndef SIM_MODEL_H
#define SIM_MODEL_H

#include "bench/hipsim/sim_cu.h"
#include "bench/hipsim/sim_device.h"
#include "bench/hipsim/sim_machine.h"

/* Waves that a SIMD holds when only registers limit them. */
uint32_t sim_waves_simd(enum sim_arch arch, const struct sim_kernel *kernel);

/* Workgroups that a CU holds; 0: not one. */
uint32_t sim_blocks_cu(enum sim_arch arch, const struct sim_kernel *kernel, uint32_t block,
                       uint64_t dynamic_lds);

/* What limits them: "waves", "vgprs", "sgprs", "lds" or "barriers". */
const char *sim_blocks_limiter(enum sim_arch arch, const struct sim_kernel *kernel, uint32_t block,
                               uint64_t dynamic_lds);

/* Which workgroups of a grid to record: their numbers, ascending. Returns how many. */
enum { SIM_MODEL_SAMPLES = 4 };
uint32_t sim_model_samples(uint64_t groups, uint64_t sample[SIM_MODEL_SAMPLES]);
/* Steps that are recorded of one workgroup at most. */
enum { SIM_MODEL_STEPS = 1 << 18 };

struct sim_model_input {
  const struct sim_model_facts *model;
  const struct sim_kernel *kernel;
  uint64_t groups;
  uint32_t block; /* work-items of a workgroup */
  uint32_t dynamic_lds;
  uint64_t footprint; /* bytes of the buffers that the arguments point at */
  struct sim_counts counts;
  const struct sim_cu_trace *traces; /* recorded workgroups */
  uint32_t trace_count;
};

/* Bytes of the whole grid, by level. */
struct sim_model_traffic {
  double l1, l2_read, l2_write, last_read, memory_read, memory_write;
};

struct sim_model_time {
  double ns;                      /* from the launch's start to its end */
  double cu_ns, l2_ns, memory_ns; /* the three limits */
  double clocks;                  /* of the busiest CU */
  bool replayed;                  /* else: by roofline */
  uint32_t blocks_cu;             /* workgroups that fit */
  uint64_t blocks_busiest;        /* workgroups of the busiest CU */
  struct sim_cu_result replay;    /* what the replay found; its clocks are those of the part it ran */
  struct sim_model_traffic traffic;
};

void sim_model_launch(const struct sim_model_input *input, struct sim_model_time *time);
double sim_model_launch_ns(const struct sim_model_input *input);
/* Nanoseconds of a copy between host and device, and of a copy or fill in device memory. */
double sim_model_transfer_ns(uint64_t bytes);
double sim_model_fill_ns(const struct sim_model_facts *model, uint64_t bytes);

#endif
