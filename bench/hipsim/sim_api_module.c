/* Modules: their kernels and variables. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

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

const struct sim_function *sim_function_find(hipFunction_t handle, struct ihipModule_t **owner) {
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

hipError_t sim_module_open(struct sim_device *device, hipModule_t *handle, const void *image, size_t size) {
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
    status = sim_module_open(device, handle, content.data, content.length);
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

hipError_t sim_module_get_function(hipFunction_t *handle, hipModule_t from, const char *name) {
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

hipError_t sim_module_get_global(hipDeviceptr_t *pointer, size_t *bytes, hipModule_t from, const char *name) {
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
  SIM_RETURN(sim_module_open(device, module, image, 0));
}

/* The options are for a compiler that does not run here. */
SIM_EXPORT hipError_t hipModuleLoadDataEx(hipModule_t *module, const void *image, unsigned count,
                                          hipJitOption *options, void **values) {
  (void)count;
  (void)options;
  (void)values;
  SIM_RETURN(sim_module_open(device, module, image, 0));
}

SIM_EXPORT hipError_t hipModuleUnload(hipModule_t module) {
  SIM_RETURN(((void)device, unload(module)));
}

SIM_EXPORT hipError_t hipModuleGetFunction(hipFunction_t *function, hipModule_t module, const char *name) {
  SIM_RETURN(((void)device, sim_module_get_function(function, module, name)));
}

SIM_EXPORT hipError_t hipModuleGetGlobal(hipDeviceptr_t *pointer, size_t *bytes, hipModule_t module,
                                         const char *name) {
  SIM_RETURN(((void)device, sim_module_get_global(pointer, bytes, module, name)));
}

/* ---- what a kernel needs ---- */

static hipError_t give_function_attribute(int *value, hipFunction_attribute attribute, hipFunction_t handle) {
  struct ihipModule_t *module;
  if (value == NULL)
    return hipErrorInvalidValue;
  const struct sim_function *function = sim_function_find(handle, &module);
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
  const struct sim_function *function = sim_function_find(handle, &module);
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
