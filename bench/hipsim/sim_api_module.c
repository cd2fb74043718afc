/* Modules, kernels and launches. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "bench/hipsim/sim_launch.h"
#include "bench/hipsim/sim_model.h"
#include "bench/hipsim/sim_runtime.h"
#include "common/file.h"

/* ---- modules ---- */

static struct ihipModule_t *find_module(hipModule_t handle) {
  for (struct ihipModule_t *m = sim_runtime.modules; m != NULL; m = m->next)
    if (m == handle)
      return m;
  return NULL;
}

/* A hipFunction_t is a struct sim_function; *owner is its module. */
static const struct sim_function *find_function(hipFunction_t handle, struct ihipModule_t **owner) {
  const struct sim_function *function = (const struct sim_function *)(const void *)handle;
  for (*owner = sim_runtime.modules; *owner != NULL; *owner = (*owner)->next)
    if (sim_module_owns((*owner)->module, function))
      return function;
  return NULL;
}

static hipError_t error_of_load(const struct ckt_error *error) {
  switch (error->code) {
  case CKT_E_UNSUPPORTED:
    return hipErrorNoBinaryForGpu;
  case CKT_E_NOMEM:
    return hipErrorOutOfMemory;
  case CKT_E_TOOLCHAIN:
    return hipErrorSharedObjectInitFailed;
  default:
    return hipErrorInvalidImage;
  }
}

static hipError_t load(struct sim_device *device, hipModule_t *handle, const void *image, size_t size) {
  if (handle == NULL || image == NULL)
    return hipErrorInvalidValue;
  if (sim_healthy(device) != hipSuccess)
    return sim_healthy(device);
  struct ihipModule_t *module = calloc(1, sizeof *module);
  if (module == NULL)
    return hipErrorOutOfMemory;
  struct ckt_error error;
  if (sim_module_load(device->memory, sim_runtime.settings.model->arch, image, size, &module->module,
                      &error) != CKT_OK) {
    free(module);
    return sim_report(error_of_load(&error), "%s", error.text);
  }
  module->device = device;
  module->next = sim_runtime.modules;
  sim_runtime.modules = module;
  *handle = module;
  return hipSuccess;
}

static hipError_t load_file(struct sim_device *device, hipModule_t *handle, const char *path) {
  if (handle == NULL || path == NULL)
    return hipErrorInvalidValue;
  struct ckt_text content;
  struct ckt_error error;
  ckt_text_init(&content, 0);
  hipError_t status;
  if (ckt_file_read(path, &content, &error) != CKT_OK)
    status = sim_report(hipErrorFileNotFound, "%s", error.text);
  else if (content.length == 0)
    status = sim_report(hipErrorInvalidImage, "%s: the file is empty; compile it again", path);
  else
    status = load(device, handle, content.data, content.length);
  ckt_text_free(&content);
  return status;
}

static void drop_module(struct ihipModule_t *module) {
  sim_module_free(&module->module);
  free(module);
}

static hipError_t unload(hipModule_t handle) {
  for (struct ihipModule_t **link = &sim_runtime.modules; *link != NULL; link = &(*link)->next)
    if (*link == handle) {
      struct sim_device *device = handle->device;
      *link = handle->next;
      drop_module(handle);
      return sim_settle(device);
    }
  return hipErrorInvalidHandle;
}

void sim_modules_forget(struct sim_device *device) {
  for (struct ihipModule_t **link = &sim_runtime.modules; *link != NULL;) {
    struct ihipModule_t *module = *link;
    if (module->device == device) {
      *link = module->next;
      drop_module(module);
    } else
      link = &module->next;
  }
}

static hipError_t get_function(hipFunction_t *handle, hipModule_t from, const char *name) {
  if (handle == NULL || name == NULL)
    return hipErrorInvalidValue;
  const struct ihipModule_t *module = find_module(from);
  if (module == NULL)
    return hipErrorInvalidHandle;
  *handle = (hipFunction_t)(void *)sim_module_function(module->module, name);
  if (*handle != NULL)
    return hipSuccess;
  char names[SIM_REPORT_MAX / 2];
  sim_module_names(module->module, names, sizeof names);
  return sim_report(hipErrorNotFound, "hipModuleGetFunction: there is no kernel '%.200s'; the module has: %s",
                    name, names);
}

static hipError_t get_global(hipDeviceptr_t *pointer, size_t *bytes, hipModule_t from, const char *name) {
  if (name == NULL || (pointer == NULL && bytes == NULL))
    return hipErrorInvalidValue;
  const struct ihipModule_t *module = find_module(from);
  if (module == NULL)
    return hipErrorInvalidHandle;
  uint64_t address, size;
  if (sim_module_variable(module->module, name, &address, &size) != 0)
    return sim_report(hipErrorNotFound, "hipModuleGetGlobal: the module has no variable '%.200s'", name);
  if (pointer != NULL)
    *pointer = (hipDeviceptr_t)(uintptr_t)address;
  if (bytes != NULL)
    *bytes = size;
  return hipSuccess;
}

SIM_EXPORT hipError_t hipModuleLoad(hipModule_t *module, const char *path) {
  SIM_RETURN(load_file(device, module, path));
}

SIM_EXPORT hipError_t hipModuleLoadData(hipModule_t *module, const void *image) {
  SIM_RETURN(load(device, module, image, 0));
}

/* The options are for a compiler that does not run here. */
SIM_EXPORT hipError_t hipModuleLoadDataEx(hipModule_t *module, const void *image, unsigned count,
                                          hipJitOption *options, void **values) {
  (void)count;
  (void)options;
  (void)values;
  SIM_RETURN(load(device, module, image, 0));
}

SIM_EXPORT hipError_t hipModuleUnload(hipModule_t module) {
  SIM_RETURN(((void)device, unload(module)));
}

SIM_EXPORT hipError_t hipModuleGetFunction(hipFunction_t *function, hipModule_t module, const char *name) {
  SIM_RETURN(((void)device, get_function(function, module, name)));
}

SIM_EXPORT hipError_t hipModuleGetGlobal(hipDeviceptr_t *pointer, size_t *bytes, hipModule_t module,
                                         const char *name) {
  SIM_RETURN(((void)device, get_global(pointer, bytes, module, name)));
}

/* ---- what a kernel needs ---- */

static hipError_t give_function_attribute(int *value, hipFunction_attribute attribute, hipFunction_t handle) {
  struct ihipModule_t *module;
  if (value == NULL)
    return hipErrorInvalidValue;
  const struct sim_function *function = find_function(handle, &module);
  if (function == NULL)
    return hipErrorInvalidDeviceFunction;
  const struct sim_arch_facts *arch = sim_arch_facts(sim_runtime.settings.model->arch);
  switch ((int)attribute) {
  case HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
    *value = (int)function->kernel.max_block;
    return hipSuccess;
  case HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
    *value = (int)function->kernel.lds_bytes;
    return hipSuccess;
  case HIP_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
    *value = (int)function->kernel.scratch_bytes;
    return hipSuccess;
  case HIP_FUNC_ATTRIBUTE_NUM_REGS: /* vector registers; AGPRs are among them where the file is unified */
    *value = (int)function->metadata->vgprs;
    return hipSuccess;
  case HIP_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
    *value = (int)(arch->lds_bytes - function->kernel.lds_bytes);
    return hipSuccess;
  case HIP_FUNC_ATTRIBUTE_BINARY_VERSION:
    *value = (int)(arch->major * 10 + arch->minor);
    return hipSuccess;
  case HIP_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
  case HIP_FUNC_ATTRIBUTE_PTX_VERSION:
  case HIP_FUNC_ATTRIBUTE_CACHE_MODE_CA:
  case HIP_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
    *value = 0;
    return hipSuccess;
  default:
    return hipErrorInvalidValue;
  }
}

static hipError_t give_occupancy(int *blocks, hipFunction_t handle, int block, size_t dynamic_lds) {
  struct ihipModule_t *module;
  if (blocks == NULL || block <= 0 || block > SIM_BLOCK_MAX)
    return hipErrorInvalidValue;
  const struct sim_function *function = find_function(handle, &module);
  if (function == NULL)
    return hipErrorInvalidDeviceFunction;
  *blocks =
      (int)sim_blocks_cu(sim_runtime.settings.model->arch, &function->kernel, (uint32_t)block, dynamic_lds);
  return hipSuccess;
}

SIM_EXPORT hipError_t hipFuncGetAttribute(int *value, hipFunction_attribute attribute,
                                          hipFunction_t function) {
  SIM_RETURN(((void)device, give_function_attribute(value, attribute, function)));
}

SIM_EXPORT hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, hipFunction_t function,
                                                                         int block, size_t dynamic_lds) {
  SIM_RETURN(((void)device, give_occupancy(blocks, function, block, dynamic_lds)));
}

/* ---- launches ---- */

/* A launch as the two entry points describe it. */
struct request {
  hipFunction_t function;
  uint64_t grid[3]; /* workgroups */
  uint32_t block[3];
  size_t dynamic_lds;
  hipStream_t stream;
  void **parameters, **extra;
  hipEvent_t start, stop; /* NULL: none */
};

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
static hipError_t prepare(const struct request *request, const struct sim_function *function,
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
static void run(const struct sim_launch *launch, const struct request *request, struct ihipStream_t *stream) {
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

static hipError_t launch_kernel(struct sim_device *device, const struct request *request) {
  struct ihipModule_t *module;
  const struct sim_function *function = find_function(request->function, &module);
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
  const struct request request = {.function = function,
                                  .grid = {grid_x, grid_y, grid_z},
                                  .block = {block_x, block_y, block_z},
                                  .dynamic_lds = lds_bytes,
                                  .stream = stream,
                                  .parameters = parameters,
                                  .extra = extra};
  SIM_RETURN(launch_kernel(device, &request));
}

/* hip_ext.h is C++: the prototype is ours, and AMD's library exports the C++ name. */
SIM_EXPORT hipError_t hipExtModuleLaunchKernel(hipFunction_t function, uint32_t work_x, uint32_t work_y,
                                               uint32_t work_z, uint32_t block_x, uint32_t block_y,
                                               uint32_t block_z, size_t lds_bytes, hipStream_t stream,
                                               void **parameters, void **extra, hipEvent_t start,
                                               hipEvent_t stop, uint32_t flags);

static hipError_t launch_items(struct sim_device *device, struct request *request, const uint32_t work[3]) {
  for (int axis = 0; axis < 3; ++axis) {
    if (request->block[axis] == 0 || work[axis] % request->block[axis] != 0)
      return sim_report(hipErrorInvalidConfiguration,
                        "launch: %u work-items along %c are not whole workgroups of %u; round up", work[axis],
                        "xyz"[axis], request -> block[axis]);
    request->grid[axis] = work[axis] / request->block[axis];
  }
  return launch_kernel(device, request);
}

hipError_t hipExtModuleLaunchKernel(hipFunction_t function, uint32_t work_x, uint32_t work_y, uint32_t work_z,
                                    uint32_t block_x, uint32_t block_y, uint32_t block_z, size_t lds_bytes,
                                    hipStream_t stream, void **parameters, void **extra, hipEvent_t start,
                                    hipEvent_t stop, uint32_t flags) {
  const uint32_t work[3] = {work_x, work_y, work_z};
  struct request request = {.function = function,
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
