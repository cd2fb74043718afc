/* The HIP runtime, bound when the program runs.
 *
 * Two libraries can stand behind the table: AMD's libamdhip64, and libhipsim.so, whose GPU is the CPU.
 * Nothing above this file knows which one it is, except through `simulated`, and that follows from a symbol
 * the library exports (hipsim_version), never from its name. */
#ifndef CKT_BENCH_HIP_API_H
#define CKT_BENCH_HIP_API_H

#include <hip/hip_runtime_api.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"

/* Which runtime to open. */
struct ckt_hip_where {
  bool simulated;          /* libhipsim.so instead of AMD's runtime */
  const char *sim_library; /* path of libhipsim.so; NULL: beside the executable */
  const char
      *sim_device;  /* "gfx90a", "mi210"...; NULL: the simulator's default; handed on as HIPSIM_DEVICE */
  const char *rocm; /* --rocm DIR, or NULL */
};

/* The symbols that are needed: one row each, return type, name, parameter list. */
#define CKT_HIP_SYMBOLS(ROW)                                                                                 \
  ROW(hipError_t, hipRuntimeGetVersion, (int *version))                                                      \
  ROW(hipError_t, hipGetDeviceCount, (int *count))                                                           \
  ROW(hipError_t, hipSetDevice, (int device))                                                                \
  ROW(hipError_t, hipDeviceSynchronize, (void))                                                              \
  ROW(hipError_t, hipMemGetInfo, (size_t * free_bytes, size_t * total_bytes))                                \
  ROW(hipError_t, hipMalloc, (void **pointer, size_t bytes))                                                 \
  ROW(hipError_t, hipFree, (void *pointer))                                                                  \
  ROW(hipError_t, hipMemcpy, (void *to, const void *from, size_t bytes, hipMemcpyKind kind))                 \
  ROW(hipError_t, hipMemset, (void *to, int value, size_t bytes))                                            \
  ROW(hipError_t, hipStreamCreate, (hipStream_t * stream))                                                   \
  ROW(hipError_t, hipStreamDestroy, (hipStream_t stream))                                                    \
  ROW(hipError_t, hipStreamSynchronize, (hipStream_t stream))                                                \
  ROW(hipError_t, hipEventCreate, (hipEvent_t * event))                                                      \
  ROW(hipError_t, hipEventDestroy, (hipEvent_t event))                                                       \
  ROW(hipError_t, hipEventRecord, (hipEvent_t event, hipStream_t stream))                                    \
  ROW(hipError_t, hipEventSynchronize, (hipEvent_t event))                                                   \
  ROW(hipError_t, hipEventElapsedTime, (float *ms, hipEvent_t start, hipEvent_t stop))                       \
  ROW(hipError_t, hipModuleLoadData, (hipModule_t * module, const void *image))                              \
  ROW(hipError_t, hipModuleUnload, (hipModule_t module))                                                     \
  ROW(hipError_t, hipModuleGetFunction, (hipFunction_t * function, hipModule_t module, const char *name))    \
  ROW(hipError_t, hipModuleLaunchKernel,                                                                     \
      (hipFunction_t function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,          \
       unsigned block_y, unsigned block_z, unsigned lds_bytes, hipStream_t stream, void **parameters,        \
       void **extra))                                                                                        \
  ROW(hipError_t, hipGetLastError, (void))                                                                   \
  ROW(const char *, hipGetErrorName, (hipError_t error))                                                     \
  ROW(const char *, hipGetErrorString, (hipError_t error))

struct ckt_hip {
#define ROW(type, name, parameters) type(*name) parameters;
  CKT_HIP_SYMBOLS(ROW)
#undef ROW
  /* hipExtModuleLaunchKernel, under its plain or its mangled name; grid in work-items. NULL: not there. */
  hipError_t (*ext_launch)(hipFunction_t function, uint32_t work_x, uint32_t work_y, uint32_t work_z,
                           uint32_t block_x, uint32_t block_y, uint32_t block_z, size_t lds_bytes,
                           hipStream_t stream, void **parameters, void **extra, hipEvent_t start,
                           hipEvent_t stop, uint32_t flags);
  /* hipGetDevicePropertiesR0600 (HIP 6 and 7) or hipGetDeviceProperties (HIP 5): read by ckt_hip_device. */
  hipError_t (*properties_r0600)(void *properties, int device);
  hipError_t (*properties_r0000)(void *properties, int device);
  /* libhipsim's last report of a kernel's misbehaviour, one sentence; NULL on AMD's runtime. */
  const char *(*hipsim_report)(void);
  bool simulated;
  int runtime_version; /* as hipRuntimeGetVersion gives it */
  char library[1024];  /* the file that was opened */
  void *handle;
};

/* CKT_E_TOOLCHAIN: no library (every place that was tried is named), or a symbol is missing. */
int ckt_hip_open(const struct ckt_hip_where *where, struct ckt_hip *hip, struct ckt_error *error);
/* AMD's runtime is not unloaded (it does not survive it); the table becomes unusable. */
void ckt_hip_close(struct ckt_hip *hip);

/* Turns a HIP status into ours: CKT_OK, or `code` with "<what>: hipErrorOutOfMemory (out of memory)". */
int ckt_hip_check(const struct ckt_hip *hip, hipError_t status, int code, const char *what,
                  struct ckt_error *error);

struct ckt_device {
  int index;
  char name[256];
  char target[256]; /* "gfx942:sramecc+:xnack-", given to hipRTC verbatim */
  char arch[32];    /* its base, "gfx942" */
  bool simulated;
  int64_t compute_units;
  int64_t memory_bytes;
  int64_t clock_khz;
  int64_t lds_bytes; /* of a workgroup */
};

int ckt_hip_device_count(const struct ckt_hip *hip, int *count, struct ckt_error *error);
int ckt_hip_device(const struct ckt_hip *hip, int index, struct ckt_device *device, struct ckt_error *error);

#endif
