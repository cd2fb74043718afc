/* A launch: its checks, its kernel arguments, its workgroups over the host's threads. */
#ifndef SIM_LAUNCH_H
#define SIM_LAUNCH_H

#include "bench/hipsim/sim_device.h"
#include "bench/hipsim/sim_memory.h"
#include "bench/hipsim/sim_module.h"

struct sim_launch {
  const struct sim_settings *settings;
  struct sim_memory *memory;
  const struct sim_function *function;
  uint64_t grid[3]; /* workgroups */
  uint32_t block[3];
  uint64_t dynamic_lds;
  /* The kernel's arguments: one pointer each, or all of them in one buffer as the kernel has them. */
  void *const *parameters;
  const void *buffer; /* used when parameters is NULL */
  size_t buffer_bytes;
};

/* What is wrong with a launch, for HIP's choice of an error. */
enum sim_launch_trouble {
  SIM_LAUNCH_FINE,
  SIM_LAUNCH_BAD_SIZES,     /* a grid or a block that no launch has */
  SIM_LAUNCH_BAD_BLOCK,     /* a block larger than the kernel was compiled for */
  SIM_LAUNCH_BAD_LDS,       /* more LDS than there is */
  SIM_LAUNCH_BAD_ARGUMENTS, /* missing, or too few bytes */
};

enum sim_launch_trouble sim_launch_check(const struct sim_launch *launch, struct ckt_error *error);

enum sim_launch_end {
  SIM_LAUNCH_DONE,
  SIM_LAUNCH_FAULT,    /* the kernel misbehaved: an address, LDS, an instruction */
  SIM_LAUNCH_ENDLESS,  /* the instruction budget ran out */
  SIM_LAUNCH_HOST_OUT, /* no memory or thread to run it */
};

/* Runs a launch that sim_launch_check has passed, to its end. *ns is the modelled duration (0 unless done), `fault` is
 * the report otherwise: that of the lowest workgroup that fails, whatever the number of threads. */
enum sim_launch_end sim_launch_run(const struct sim_launch *launch, double *ns, struct sim_counts *counts,
                                   struct sim_fault *fault);

/* Fills `bytes` (kernel->kernarg_bytes) as the kernel finds them; exposed for tests. */
void sim_launch_fill_kernarg(const struct sim_launch *launch, uint8_t *bytes);

#endif
