/* Device memory, copies and fills. */
#include <stdlib.h>
#include <string.h>

#include "bench/hipsim/sim_model.h"
#include "bench/hipsim/sim_runtime.h"

/* ---- allocation ---- */

static hipError_t allocate(struct sim_device *device, void **pointer, size_t bytes) {
  if (pointer == NULL)
    return hipErrorInvalidValue;
  if (sim_healthy(device) != hipSuccess)
    return sim_healthy(device);
  *pointer = NULL;
  if (bytes == 0)
    return hipSuccess;
  if (bytes > sim_host_memory_available())
    return sim_report(hipErrorOutOfMemory,
                      "hipMalloc: %zu bytes are more than the host can give (%llu); free some", bytes,
                      (unsigned long long)sim_host_memory_available());
  *pointer = (void *)(uintptr_t)sim_memory_allocate(device->memory, bytes, SIM_SPAN_BUFFER, true);
  if (*pointer != NULL)
    return hipSuccess;
  return sim_report(
      hipErrorOutOfMemory, "hipMalloc: %zu bytes are more than the device has left (%llu of %llu); free some",
      bytes, (unsigned long long)(sim_memory_capacity(device->memory) - sim_memory_used(device->memory)),
      (unsigned long long)sim_memory_capacity(device->memory));
}

/* The device in whose arena an address lies; NULL: the host's own memory. */
static struct sim_device *owner_of(const void *pointer) {
  for (unsigned i = 0; i < sim_runtime.settings.devices; ++i)
    if (sim_memory_inside(sim_runtime.devices[i].memory, (uintptr_t)pointer))
      return &sim_runtime.devices[i];
  return NULL;
}

/* Waits for the device, as HIP does; a device that failed still takes its memory back. */
static hipError_t give_back(void *pointer) {
  if (pointer == NULL)
    return hipSuccess;
  struct sim_device *owner = owner_of(pointer);
  const uint64_t address = (uintptr_t)pointer;
  const struct sim_span *span = owner != NULL ? sim_memory_span(owner->memory, address) : NULL;
  if (span == NULL || span->kind != SIM_SPAN_BUFFER || span->begin != address)
    return sim_report(hipErrorInvalidValue,
                      "hipFree: %p is not the beginning of an allocation, or was freed already", pointer);
  sim_memory_release(owner->memory, address);
  return sim_settle(owner);
}

static hipError_t give_info(struct sim_device *device, size_t *free_bytes, size_t *total_bytes) {
  if (free_bytes == NULL || total_bytes == NULL)
    return hipErrorInvalidValue;
  const uint64_t host = sim_host_memory_available();
  *total_bytes = sim_memory_capacity(device->memory);
  *free_bytes = *total_bytes - sim_memory_used(device->memory);
  if (host < *free_bytes)
    *free_bytes = host;
  return sim_healthy(device);
}

SIM_EXPORT hipError_t hipMalloc(void **pointer, size_t bytes) {
  SIM_RETURN(allocate(device, pointer, bytes));
}

SIM_EXPORT hipError_t hipFree(void *pointer) {
  SIM_RETURN(((void)device, give_back(pointer)));
}

/* Host memory that kernels can reach: here the same memory. */
SIM_EXPORT hipError_t hipHostMalloc(void **pointer, size_t bytes, unsigned flags) {
  SIM_RETURN(((void)flags, allocate(device, pointer, bytes)));
}

SIM_EXPORT hipError_t hipHostFree(void *pointer) {
  SIM_RETURN(((void)device, give_back(pointer)));
}

SIM_EXPORT hipError_t hipMallocAsync(void **pointer, size_t bytes, hipStream_t stream) {
  SIM_RETURN(sim_stream_find(device, stream) != NULL ? allocate(device, pointer, bytes)
                                                     : hipErrorInvalidHandle);
}

SIM_EXPORT hipError_t hipFreeAsync(void *pointer, hipStream_t stream) {
  SIM_RETURN(sim_stream_find(device, stream) != NULL ? give_back(pointer) : hipErrorInvalidHandle);
}

SIM_EXPORT hipError_t hipMemGetInfo(size_t *free_bytes, size_t *total_bytes) {
  SIM_RETURN(give_info(device, free_bytes, total_bytes));
}

/* ---- copies and fills ---- */

/* [pointer, pointer + bytes) of device memory lies in one allocation (or, to be read, in one segment of a module). */
static hipError_t check_range(const char *call, const struct sim_device *owner, const void *pointer,
                              size_t bytes, bool write) {
  const uint64_t address = (uintptr_t)pointer;
  const struct sim_span *span = sim_memory_span(owner->memory, address);
  if (span == NULL || bytes > span->end - address)
    return sim_report(hipErrorInvalidValue, "%s: %zu bytes at %p do not lie in one allocation%s", call, bytes,
                      pointer, span != NULL ? "; it ends before them" : "; it was freed, or never made");
  if (write && !span->writable)
    return sim_report(hipErrorInvalidValue, "%s: %p is memory that may not be written (code or constants)",
                      call, pointer);
  return hipSuccess;
}

struct copy {
  void *to;
  const void *from;
  size_t bytes;
  hipMemcpyKind kind;
};

/* Which sides must be device memory, by kind; the others may be either (host memory that was allocated through HIP is
 * in the arena, too). */
static hipError_t check_copy(const struct copy *copy, const struct sim_device *to,
                             const struct sim_device *from) {
  const bool to_device = copy->kind == hipMemcpyHostToDevice || copy->kind == hipMemcpyDeviceToDevice;
  const bool from_device = copy->kind == hipMemcpyDeviceToHost || copy->kind == hipMemcpyDeviceToDevice;
  if (copy->to == NULL || copy->from == NULL)
    return hipErrorInvalidValue;
  if ((unsigned)copy->kind > hipMemcpyDefault)
    return hipErrorInvalidMemcpyDirection;
  if (to_device && to == NULL)
    return sim_report(hipErrorInvalidValue, "hipMemcpy: the destination %p is not device memory", copy->to);
  if (from_device && from == NULL)
    return sim_report(hipErrorInvalidValue, "hipMemcpy: the source %p is not device memory", copy->from);
  hipError_t status = hipSuccess;
  if (to != NULL)
    status = check_range("hipMemcpy", to, copy->to, copy->bytes, true);
  if (status == hipSuccess && from != NULL)
    status = check_range("hipMemcpy", from, copy->from, copy->bytes, false);
  return status;
}

static hipError_t copy_memory(struct sim_device *device, const struct copy *copy, hipStream_t on, bool wait) {
  struct ihipStream_t *stream = sim_stream_find(device, on);
  if (stream == NULL)
    return hipErrorInvalidHandle;
  hipError_t status = wait ? sim_settle(stream->device) : sim_healthy(stream->device);
  if (status != hipSuccess || copy->bytes == 0 || stream->device->pending != hipSuccess)
    return status;
  const struct sim_device *to = owner_of(copy->to), *from = owner_of(copy->from);
  status = check_copy(copy, to, from);
  if (status != hipSuccess)
    return status;
  memmove(copy->to, copy->from, copy->bytes);
  const bool inside = to != NULL && from != NULL;
  sim_stream_advance(stream, inside ? sim_model_fill_ns(sim_runtime.settings.model, copy->bytes * 2)
                                    : sim_model_transfer_ns(copy->bytes));
  return hipSuccess;
}

struct fill {
  void *to;
  uint32_t value;
  size_t unit, count; /* unit: 1, 2 or 4 bytes */
};

static void fill_units(const struct fill *fill) {
  if (fill->unit == 1) {
    memset(fill->to, (int)(fill->value & 0xff), fill->count);
    return;
  }
  uint8_t *to = fill->to;
  for (size_t i = 0; i < fill->count; ++i)
    memcpy(to + i * fill->unit, &fill->value, fill->unit);
}

static hipError_t fill_memory(struct sim_device *device, const struct fill *fill, hipStream_t on, bool wait) {
  struct ihipStream_t *stream = sim_stream_find(device, on);
  size_t bytes;
  if (stream == NULL)
    return hipErrorInvalidHandle;
  if (__builtin_mul_overflow(fill->unit, fill->count, &bytes))
    return hipErrorInvalidValue;
  hipError_t status = wait ? sim_settle(stream->device) : sim_healthy(stream->device);
  if (status != hipSuccess || bytes == 0 || stream->device->pending != hipSuccess)
    return status;
  const struct sim_device *owner = fill->to != NULL ? owner_of(fill->to) : NULL;
  if (owner == NULL)
    return sim_report(hipErrorInvalidValue, "hipMemset: %p is not device memory", fill->to);
  status = (uintptr_t)fill->to % fill->unit == 0 ? check_range("hipMemset", owner, fill->to, bytes, true)
                                                 : hipErrorInvalidValue;
  if (status != hipSuccess)
    return status;
  fill_units(fill);
  sim_stream_advance(stream, sim_model_fill_ns(sim_runtime.settings.model, bytes));
  return hipSuccess;
}

SIM_EXPORT hipError_t hipMemcpy(void *to, const void *from, size_t bytes, hipMemcpyKind kind) {
  const struct copy copy = {to, from, bytes, kind};
  SIM_RETURN(copy_memory(device, &copy, NULL, true));
}

SIM_EXPORT hipError_t hipMemcpyAsync(void *to, const void *from, size_t bytes, hipMemcpyKind kind,
                                     hipStream_t stream) {
  const struct copy copy = {to, from, bytes, kind};
  SIM_RETURN(copy_memory(device, &copy, stream, false));
}

/* Under HIP's name by the linker's hand: versions differ in whether the source is const. */
SIM_EXPORT hipError_t sim_copy_htod(hipDeviceptr_t to, const void *from,
                                    size_t bytes) __asm__("hipMemcpyHtoD");

hipError_t sim_copy_htod(hipDeviceptr_t to, const void *from, size_t bytes) {
  const struct copy copy = {to, from, bytes, hipMemcpyHostToDevice};
  SIM_RETURN(copy_memory(device, &copy, NULL, true));
}

SIM_EXPORT hipError_t hipMemcpyDtoH(void *to, hipDeviceptr_t from, size_t bytes) {
  const struct copy copy = {to, from, bytes, hipMemcpyDeviceToHost};
  SIM_RETURN(copy_memory(device, &copy, NULL, true));
}

SIM_EXPORT hipError_t hipMemcpyDtoD(hipDeviceptr_t to, hipDeviceptr_t from, size_t bytes) {
  const struct copy copy = {to, from, bytes, hipMemcpyDeviceToDevice};
  SIM_RETURN(copy_memory(device, &copy, NULL, true));
}

SIM_EXPORT hipError_t hipMemset(void *to, int value, size_t bytes) {
  const struct fill fill = {to, (uint32_t)value, 1, bytes};
  SIM_RETURN(fill_memory(device, &fill, NULL, true));
}

SIM_EXPORT hipError_t hipMemsetAsync(void *to, int value, size_t bytes, hipStream_t stream) {
  const struct fill fill = {to, (uint32_t)value, 1, bytes};
  SIM_RETURN(fill_memory(device, &fill, stream, false));
}

SIM_EXPORT hipError_t hipMemsetD8(hipDeviceptr_t to, unsigned char value, size_t count) {
  const struct fill fill = {to, value, 1, count};
  SIM_RETURN(fill_memory(device, &fill, NULL, true));
}

SIM_EXPORT hipError_t hipMemsetD32(hipDeviceptr_t to, int value, size_t count) {
  const struct fill fill = {to, (uint32_t)value, 4, count};
  SIM_RETURN(fill_memory(device, &fill, NULL, true));
}
