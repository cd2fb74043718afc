/* Launches of a module's kernels. */
#include "bench/hipsim/sim_api_launch.h"
#include "bench/hipsim/sim_launch.h"

/* The list of names and values in `extra` (hip_runtime_api.h, HIP_LAUNCH_PARAM_*). */
static hipError_t read_extra(void **extra, struct sim_launch *launch) {
  enum { PAIRS_MAX = 8 };
  for (int i = 0; i < PAIRS_MAX && extra[0] != HIP_LAUNCH_PARAM_END; ++i, extra += 2) {
    if (extra[0] == HIP_LAUNCH_PARAM_BUFFER_POINTER)
      launch->buffer = extra[1];
    else if (extra[0] == HIP_LAUNCH_PARAM_BUFFER_SIZE && extra[1] != NULL)
      launch->buffer_bytes = *(const size_t *)extra[1];
    else
      return sim_report(hipErrorInvalidValue,
                        "launch: entry %d of `extra` is neither the buffer, its size nor the end", i);
  }
  return extra[0] == HIP_LAUNCH_PARAM_END ? hipSuccess : hipErrorInvalidValue;
}

static hipError_t error_of_trouble(enum sim_launch_trouble trouble) {
  switch (trouble) {
  case SIM_LAUNCH_FINE:
    return hipSuccess;
  case SIM_LAUNCH_BAD_SIZES:
    return hipErrorInvalidConfiguration;
  case SIM_LAUNCH_BAD_BLOCK:
    return hipErrorLaunchFailure;
  default:
    return hipErrorInvalidValue;
  }
}

static hipError_t error_of_end(enum sim_launch_end end, const struct sim_fault *fault) {
  switch (end) {
  case SIM_LAUNCH_DONE:
    return hipSuccess;
  case SIM_LAUNCH_ENDLESS:
    return hipErrorLaunchTimeOut;
  case SIM_LAUNCH_HOST_OUT:
    return hipErrorOutOfMemory;
  default:
    return fault->address ? hipErrorIllegalAddress : hipErrorLaunchFailure;
  }
}

/* Describes the launch for the machine, or says what is wrong with it. */
static hipError_t prepare(const struct sim_request *request, const struct sim_function *function,
                          struct sim_device *device, struct sim_launch *launch) {
  *launch = (struct sim_launch){.settings = &sim_runtime.settings,
                                .memory = device->memory,
                                .function = function,
                                .grid = {request->grid[0], request->grid[1], request->grid[2]},
                                .block = {request->block[0], request->block[1], request->block[2]},
                                .dynamic_lds = request->dynamic_lds,
                                .parameters = request->parameters};
  if (request->parameters != NULL && request->extra != NULL)
    return sim_report(hipErrorInvalidValue,
                      "launch: arguments are given both by kernelParams and by extra; give one");
  if (request->extra != NULL) {
    const hipError_t status = read_extra(request->extra, launch);
    if (status != hipSuccess)
      return status;
  }
  struct ckt_error error;
  const enum sim_launch_trouble trouble = sim_launch_check(launch, &error);
  return trouble == SIM_LAUNCH_FINE ? hipSuccess : sim_report(error_of_trouble(trouble), "%s", error.text);
}

/* A kernel that fails leaves the caller in the dark until something waits for the device, as on hardware. */
static void run(const struct sim_launch *launch, const struct sim_request *request,
                struct ihipStream_t *stream) {
  struct sim_counts counts;
  struct sim_fault fault;
  double ns;
  const double begin = sim_stream_now(stream);
  const enum sim_launch_end end = sim_launch_run(launch, &ns, &counts, &fault);
  sim_report(hipSuccess, "%s", end != SIM_LAUNCH_DONE ? fault.text : "");
  stream->device->pending = error_of_end(end, &fault);
  sim_stream_advance(stream, ns);
  if (request->start != NULL)
    sim_event_stamp(request->start, stream->device, begin);
  if (request->stop != NULL)
    sim_event_stamp(request->stop, stream->device, begin + ns);
}

hipError_t sim_launch_request(struct sim_device *device, const struct sim_request *request) {
  struct ihipModule_t *module;
  const struct sim_function *function = sim_function_find(request->function, &module);
  struct ihipStream_t *stream = sim_stream_find(device, request->stream);
  if (function == NULL || stream == NULL ||
      (request->start != NULL && sim_event_find(request->start) == NULL) ||
      (request->stop != NULL && sim_event_find(request->stop) == NULL))
    return hipErrorInvalidHandle;
  if (module->device != stream->device)
    return sim_report(hipErrorInvalidHandle,
                      "launch: the stream is of device %u and the kernel of device %u; use one",
                      stream->device->index, module->device->index);
  hipError_t status = sim_healthy(stream->device);
  if (status != hipSuccess)
    return status;
  struct sim_launch launch;
  status = prepare(request, function, stream->device, &launch);
  if (status == hipSuccess && stream->device->pending == hipSuccess)
    run(&launch, request, stream);
  return status;
}

SIM_EXPORT hipError_t hipModuleLaunchKernel(hipFunction_t function, unsigned grid_x, unsigned grid_y,
                                            unsigned grid_z, unsigned block_x, unsigned block_y,
                                            unsigned block_z, unsigned lds_bytes, hipStream_t stream,
                                            void **parameters, void **extra) {
  const struct sim_request request = {.function = function,
                                      .grid = {grid_x, grid_y, grid_z},
                                      .block = {block_x, block_y, block_z},
                                      .dynamic_lds = lds_bytes,
                                      .stream = stream,
                                      .parameters = parameters,
                                      .extra = extra};
  SIM_RETURN(sim_launch_request(device, &request));
}

/* hip_ext.h is C++: the prototype is ours, and AMD's library exports the C++ name. */
SIM_EXPORT hipError_t hipExtModuleLaunchKernel(hipFunction_t function, uint32_t work_x, uint32_t work_y,
                                               uint32_t work_z, uint32_t block_x, uint32_t block_y,
                                               uint32_t block_z, size_t lds_bytes, hipStream_t stream,
                                               void **parameters, void **extra, hipEvent_t start,
                                               hipEvent_t stop, uint32_t flags);

static hipError_t launch_items(struct sim_device *device, struct sim_request *request,
                               const uint32_t work[3]) {
  for (int axis = 0; axis < 3; ++axis) {
    if (request->block[axis] == 0 || work[axis] % request->block[axis] != 0)
      return sim_report(hipErrorInvalidConfiguration,
                        "launch: %u work-items along %c are not whole workgroups of %u; round up", work[axis],
                        "xyz"[axis], request -> block[axis]);
    request->grid[axis] = work[axis] / request->block[axis];
  }
  return sim_launch_request(device, request);
}

hipError_t hipExtModuleLaunchKernel(hipFunction_t function, uint32_t work_x, uint32_t work_y, uint32_t work_z,
                                    uint32_t block_x, uint32_t block_y, uint32_t block_z, size_t lds_bytes,
                                    hipStream_t stream, void **parameters, void **extra, hipEvent_t start,
                                    hipEvent_t stop, uint32_t flags) {
  const uint32_t work[3] = {work_x, work_y, work_z};
  struct sim_request request = {.function = function,
                                .block = {block_x, block_y, block_z},
                                .dynamic_lds = lds_bytes,
                                .stream = stream,
                                .parameters = parameters,
                                .extra = extra,
                                .start = start,
                                .stop = stop};
  (void)flags; /* ordering of launches: they are in order here */
  SIM_RETURN(launch_items(device, &request, work));
}

SIM_EXPORT hipError_t sim_ext_launch_alias(
    hipFunction_t function, uint32_t work_x, uint32_t work_y, uint32_t work_z, uint32_t block_x,
    uint32_t block_y, uint32_t block_z, size_t lds_bytes, hipStream_t stream, void **parameters, void **extra,
    hipEvent_t start, hipEvent_t stop,
    uint32_t flags) __asm__("_Z24hipExtModuleLaunchKernelP18ihipModuleSymbol_tjjjjjjmP12ihipStream_tPPvS4_"
                            "P11ihipEvent_tS6_j") __attribute__((alias("hipExtModuleLaunchKernel")));
