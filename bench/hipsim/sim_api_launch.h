/* A launch as the entry points describe it, in the units of HIP. */
#ifndef SIM_API_LAUNCH_H
#define SIM_API_LAUNCH_H

#include "bench/hipsim/sim_runtime.h"

struct sim_request {
  hipFunction_t function;
  uint64_t grid[3]; /* workgroups */
  uint32_t block[3];
  size_t dynamic_lds;
  hipStream_t stream;
  void **parameters, **extra;
  hipEvent_t start, stop; /* NULL: none */
};

/* Runs it to its end; the caller holds the runtime's lock (SIM_RETURN). */
hipError_t sim_launch_request(struct sim_device *device, const struct sim_request *request);

#endif
