/* The modelled duration of a launch. Not a measurement, and not a simulation of cycles: a roofline over the counts of
 * the instructions that were executed and the device's published rates. It depends on nothing of the host.
 *
 *   T = overhead + max(compute, L2, memory)
 *
 * compute: the workgroups are dealt to the CUs in rounds of as many as fit at once (occupancy); a CU with b workgroups
 *   needs the longest of: its SIMDs' matrix pipes, their vector issue, scalar and other issue, its LDS, and the
 *   time one wave needs on its own (an instruction each 4 clocks, and its matrix instructions one after another).
 * L2: the 64-byte lines that instructions touched, over the L2's bandwidth.
 * memory: what was stored, and each buffer that the arguments point at read once at most, over peak bandwidth.
 *
 * Left out: latencies, the order of instructions, cache misses, clocks below the peak. */
#ifndef SIM_MODEL_H
#define SIM_MODEL_H

#include "bench/hipsim/sim_device.h"
#include "bench/hipsim/sim_machine.h"

/* Waves that a SIMD holds when only registers limit them. */
uint32_t sim_waves_simd(enum sim_arch arch, const struct sim_kernel *kernel);

/* Workgroups that a CU holds; 0: not one. */
uint32_t sim_blocks_cu(enum sim_arch arch, const struct sim_kernel *kernel, uint32_t block,
                       uint64_t dynamic_lds);

struct sim_model_input {
  const struct sim_model_facts *model;
  const struct sim_kernel *kernel;
  uint64_t groups;
  uint32_t block; /* work-items of a workgroup */
  uint32_t dynamic_lds;
  uint64_t footprint; /* bytes of the buffers that the arguments point at */
  struct sim_counts counts;
};

/* Nanoseconds from the launch's start to its end. */
double sim_model_launch_ns(const struct sim_model_input *input);
/* Nanoseconds of a copy between host and device, and of a copy or fill in device memory. */
double sim_model_transfer_ns(uint64_t bytes);
double sim_model_fill_ns(const struct sim_model_facts *model, uint64_t bytes);

#endif
