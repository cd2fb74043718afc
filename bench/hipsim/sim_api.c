/* The runtime's start, its devices and what they tell of themselves. */
#include <hip/hip_version.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/hipsim/sim_properties.h"
#include "bench/hipsim/sim_runtime.h"

/* Counts up when a program that uses the library must know. */
enum { HIPSIM_VERSION = 1 };

struct sim_runtime sim_runtime;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool started;
static hipError_t start_status;
static char report[SIM_REPORT_MAX];

static _Thread_local int selected;
static _Thread_local hipError_t last_error;
static _Thread_local char report_copy[SIM_REPORT_MAX];

/* Programs that know HIP only cannot ask for the report: HIPSIM_REPORT=1 gives it to who runs them. It may be about the
 * settings, so it does not come from them. */
static void tell(void) {
  const char *wanted = getenv("HIPSIM_REPORT");
  if (report[0] != '\0' && wanted != NULL && strcmp(wanted, "1") == 0)
    fprintf(stderr, "hipsim: %s\n", report);
}

hipError_t sim_report(hipError_t status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(report, sizeof report, format, arguments);
  va_end(arguments);
  tell();
  return status;
}

/* ---- start ---- */

static bool open_device(struct sim_device *device, unsigned index) {
  memset(device, 0, sizeof *device);
  device->index = index;
  device->null_stream.device = device;
  device->memory = sim_memory_create(sim_runtime.settings.memory_bytes);
  return device->memory != NULL;
}

static hipError_t start(void) {
  struct ckt_error error;
  if (sim_settings_read(&sim_runtime.settings, &error) != CKT_OK)
    return sim_report(hipErrorNoDevice, "%s", error.text);
  const unsigned count = sim_runtime.settings.devices;
  sim_runtime.devices = calloc(count, sizeof *sim_runtime.devices);
  for (unsigned i = 0; sim_runtime.devices != NULL && i < count; ++i)
    if (!open_device(&sim_runtime.devices[i], i)) {
      while (i-- > 0)
        sim_memory_free(&sim_runtime.devices[i].memory);
      free(sim_runtime.devices);
      sim_runtime.devices = NULL;
    }
  if (sim_runtime.devices == NULL)
    return sim_report(
        hipErrorOutOfMemory,
        "the simulated device finds no address space for %llu bytes; raise the limit (ulimit -v) or "
        "set HIPSIM_MEMORY lower",
        (unsigned long long)sim_runtime.settings.memory_bytes);
  return hipSuccess;
}

hipError_t sim_enter(struct sim_device **device) {
  pthread_mutex_lock(&lock);
  if (!started) {
    started = true;
    start_status = start();
  }
  if (start_status == hipSuccess)
    *device = &sim_runtime.devices[selected];
  return start_status;
}

hipError_t sim_leave(hipError_t status) {
  if (status != hipSuccess && status != hipErrorNotReady)
    last_error = status;
  pthread_mutex_unlock(&lock);
  return status;
}

int sim_select(int index) {
  if (index < 0 || (unsigned)index >= sim_runtime.settings.devices)
    return -1;
  selected = index;
  return 0;
}

int sim_selected(void) {
  return selected;
}

hipError_t sim_reset(struct sim_device *device) {
  sim_modules_forget(device);
  sim_handles_forget(device);
  sim_memory_free(&device->memory);
  return open_device(device, device->index) ? hipSuccess : hipErrorOutOfMemory;
}

/* Memory that no program can reach after the library is gone. */
__attribute__((destructor)) static void stop(void) {
  for (unsigned i = 0; sim_runtime.devices != NULL && i < sim_runtime.settings.devices; ++i) {
    sim_modules_forget(&sim_runtime.devices[i]);
    sim_handles_forget(&sim_runtime.devices[i]);
    sim_memory_free(&sim_runtime.devices[i].memory);
  }
  free(sim_runtime.devices);
  sim_runtime.devices = NULL;
}

/* ---- the library itself ---- */

SIM_EXPORT int hipsim_version(void);
SIM_EXPORT const char *hipsim_report(void);

int hipsim_version(void) {
  return HIPSIM_VERSION;
}

/* A copy for the calling thread, so that another thread's launch does not change it under the reader's eyes. */
const char *hipsim_report(void) {
  pthread_mutex_lock(&lock);
  memcpy(report_copy, report, sizeof report_copy);
  pthread_mutex_unlock(&lock);
  return report_copy;
}

static hipError_t give_version(int *version) {
  if (version == NULL)
    return hipErrorInvalidValue;
  *version = HIP_VERSION;
  return hipSuccess;
}

SIM_EXPORT hipError_t hipInit(unsigned flags) {
  SIM_RETURN(((void)device, flags == 0 ? hipSuccess : hipErrorInvalidValue));
}

SIM_EXPORT hipError_t hipRuntimeGetVersion(int *version) {
  return give_version(version);
}

SIM_EXPORT hipError_t hipDriverGetVersion(int *version) {
  return give_version(version);
}

/* The error of a device that failed stays; any other is forgotten once it was told. */
static hipError_t take_last_error(bool forget) {
  struct sim_device *device;
  hipError_t error = sim_enter(&device);
  if (error == hipSuccess)
    error = sim_healthy(device);
  if (error == hipSuccess)
    error = last_error;
  if (forget)
    last_error = hipSuccess;
  pthread_mutex_unlock(&lock);
  return error;
}

SIM_EXPORT hipError_t hipGetLastError(void) {
  return take_last_error(true);
}

SIM_EXPORT hipError_t hipPeekAtLastError(void) {
  return take_last_error(false);
}

/* ---- devices ---- */

SIM_EXPORT hipError_t hipGetDeviceCount(int *count) {
  struct sim_device *device;
  hipError_t status = sim_enter(&device);
  if (count == NULL)
    status = hipErrorInvalidValue;
  else
    *count = status == hipSuccess ? (int)sim_runtime.settings.devices : 0;
  return sim_leave(status);
}

SIM_EXPORT hipError_t hipSetDevice(int index) {
  SIM_RETURN(((void)device, sim_select(index) == 0 ? hipSuccess : hipErrorInvalidDevice));
}

static hipError_t give_device(int *index) {
  if (index == NULL)
    return hipErrorInvalidValue;
  *index = sim_selected();
  return hipSuccess;
}

SIM_EXPORT hipError_t hipGetDevice(int *index) {
  SIM_RETURN(((void)device, give_device(index)));
}

SIM_EXPORT hipError_t hipDeviceSynchronize(void) {
  SIM_RETURN(sim_settle(device));
}

SIM_EXPORT hipError_t hipDeviceReset(void) {
  SIM_RETURN(sim_reset(device));
}

/* ---- properties ---- */

static bool is_device(int index) {
  return index >= 0 && (unsigned)index < sim_runtime.settings.devices;
}

static hipError_t fill_r0000(struct sim_properties_r0000 *properties, int index) {
  if (properties == NULL)
    return hipErrorInvalidValue;
  if (!is_device(index))
    return hipErrorInvalidDevice;
  sim_properties_fill_r0000(sim_runtime.settings.model, sim_runtime.settings.memory_bytes, (unsigned)index,
                            properties);
  return hipSuccess;
}

static hipError_t fill_r0600(struct sim_properties_r0600 *properties, int index) {
  if (properties == NULL)
    return hipErrorInvalidValue;
  if (!is_device(index))
    return hipErrorInvalidDevice;
  sim_properties_fill_r0600(sim_runtime.settings.model, sim_runtime.settings.memory_bytes, (unsigned)index,
                            properties);
  return hipSuccess;
}

/* Under HIP's names by the linker's hand: the header declares only one of them, and not with this type. */
SIM_EXPORT hipError_t sim_properties_of_hip5(struct sim_properties_r0000 *properties,
                                             int index) __asm__("hipGetDeviceProperties");
SIM_EXPORT hipError_t sim_properties_of_hip6(struct sim_properties_r0600 *properties,
                                             int index) __asm__("hipGetDevicePropertiesR0600");

hipError_t sim_properties_of_hip5(struct sim_properties_r0000 *properties, int index) {
  SIM_RETURN(((void)device, fill_r0000(properties, index)));
}

hipError_t sim_properties_of_hip6(struct sim_properties_r0600 *properties, int index) {
  SIM_RETURN(((void)device, fill_r0600(properties, index)));
}

/* Attribute, and the member of the HIP 6 layout that answers it. */
#define ATTRIBUTES(ROW)                                                                                      \
  ROW(EccEnabled, ECCEnabled)                                                                                \
  ROW(CanMapHostMemory, canMapHostMemory)                                                                    \
  ROW(ClockRate, clockRate)                                                                                  \
  ROW(ComputeMode, computeMode)                                                                              \
  ROW(ConcurrentKernels, concurrentKernels)                                                                  \
  ROW(ConcurrentManagedAccess, concurrentManagedAccess)                                                      \
  ROW(CooperativeLaunch, cooperativeLaunch)                                                                  \
  ROW(CooperativeMultiDeviceLaunch, cooperativeMultiDeviceLaunch)                                            \
  ROW(Integrated, integrated)                                                                                \
  ROW(IsMultiGpuBoard, isMultiGpuBoard)                                                                      \
  ROW(KernelExecTimeout, kernelExecTimeoutEnabled)                                                           \
  ROW(L2CacheSize, l2CacheSize)                                                                              \
  ROW(ComputeCapabilityMajor, major)                                                                         \
  ROW(ComputeCapabilityMinor, minor)                                                                         \
  ROW(ManagedMemory, managedMemory)                                                                          \
  ROW(MaxBlockDimX, maxThreadsDim[0])                                                                        \
  ROW(MaxBlockDimY, maxThreadsDim[1])                                                                        \
  ROW(MaxBlockDimZ, maxThreadsDim[2])                                                                        \
  ROW(MaxGridDimX, maxGridSize[0])                                                                           \
  ROW(MaxGridDimY, maxGridSize[1])                                                                           \
  ROW(MaxGridDimZ, maxGridSize[2])                                                                           \
  ROW(MaxThreadsPerBlock, maxThreadsPerBlock)                                                                \
  ROW(MaxThreadsPerMultiProcessor, maxThreadsPerMultiProcessor)                                              \
  ROW(MaxPitch, memPitch)                                                                                    \
  ROW(MemoryBusWidth, memoryBusWidth)                                                                        \
  ROW(MemoryClockRate, memoryClockRate)                                                                      \
  ROW(MultiprocessorCount, multiProcessorCount)                                                              \
  ROW(PciBusId, pciBusID)                                                                                    \
  ROW(PciDeviceId, pciDeviceID)                                                                              \
  ROW(PciDomainID, pciDomainID)                                                                              \
  ROW(MaxRegistersPerBlock, regsPerBlock)                                                                    \
  ROW(MaxSharedMemoryPerBlock, sharedMemPerBlock)                                                            \
  ROW(TextureAlignment, textureAlignment)                                                                    \
  ROW(TexturePitchAlignment, texturePitchAlignment)                                                          \
  ROW(TotalConstantMemory, totalConstMem)                                                                    \
  ROW(WarpSize, warpSize)                                                                                    \
  ROW(ClockInstructionRate, clockInstructionRate)                                                            \
  ROW(MaxSharedMemoryPerMultiprocessor, maxSharedMemoryPerMultiProcessor)                                    \
  ROW(IsLargeBar, isLargeBar)                                                                                \
  ROW(AsicRevision, asicRevision)                                                                            \
  ROW(PhysicalMultiProcessorCount, multiProcessorCount)

static hipError_t give_attribute(int *value, hipDeviceAttribute_t attribute, int index) {
  struct sim_properties_r0600 properties;
  if (value == NULL)
    return hipErrorInvalidValue;
  const hipError_t status = fill_r0600(&properties, index);
  if (status != hipSuccess)
    return status;
  switch ((int)attribute) {
#define ROW(name, member)                                                                                    \
  case hipDeviceAttribute##name:                                                                             \
    *value = (int)properties.member;                                                                         \
    return hipSuccess;
    ATTRIBUTES(ROW)
#undef ROW
  default:
    return hipErrorInvalidValue;
  }
}

SIM_EXPORT hipError_t hipDeviceGetAttribute(int *value, hipDeviceAttribute_t attribute, int index) {
  SIM_RETURN(((void)device, give_attribute(value, attribute, index)));
}
