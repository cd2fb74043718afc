/* The state behind the HIP entry points: devices, live handles, errors. One lock guards it all; a launch runs with it
 * held, so that calls are in one order whatever the threads. */
#ifndef SIM_RUNTIME_H
#define SIM_RUNTIME_H

#include <hip/hip_runtime_api.h>
#include <stdbool.h>

#include "bench/hipsim/sim_device.h"
#include "bench/hipsim/sim_memory.h"
#include "bench/hipsim/sim_module.h"

#define SIM_EXPORT __attribute__((visibility("default")))

enum { SIM_REPORT_MAX = 1024 };

/* What HIP's opaque handles point at. Every live one is in a list of the runtime; a handle that is not in its list is
 * refused and never followed. */
struct ihipStream_t {
  struct ihipStream_t *next;
  struct sim_device *device;
  unsigned flags;
  double clock_ns; /* modelled time at which the work so far is done */
};

struct ihipEvent_t {
  struct ihipEvent_t *next;
  struct sim_device *device; /* where it was recorded last */
  unsigned flags;
  bool recorded;
  double at_ns;
};

struct ihipModule_t {
  struct ihipModule_t *next;
  struct sim_device *device;
  uint64_t program; /* that it came with, a number of sim_api_program.c; 0: none, the caller loaded it */
  struct sim_module *module;
};

struct sim_device {
  unsigned index;
  struct sim_memory *memory;
  struct ihipStream_t null_stream;
  /* A kernel's failure: kept from the caller until something waits for the device, then the answer to everything
   * until hipDeviceReset. */
  hipError_t pending, sticky;
};

struct sim_runtime {
  struct sim_settings settings;
  struct sim_device *devices;
  struct ihipStream_t *streams;
  struct ihipEvent_t *events;
  struct ihipModule_t *modules;
};
extern struct sim_runtime sim_runtime;

/* Takes the lock, starts the runtime when it is not, and gives the calling thread's device. Every exported function
 * is SIM_RETURN(work), or calls the pair itself. */
hipError_t sim_enter(struct sim_device **device);
/* Notes the error for hipGetLastError, and gives the lock back. */
hipError_t sim_leave(hipError_t status);
#define SIM_RETURN(expression)                                                                               \
  do {                                                                                                       \
    struct sim_device *device;                                                                               \
    hipError_t status = sim_enter(&device);                                                                  \
    if (status == hipSuccess)                                                                                \
      status = (expression);                                                                                 \
    return sim_leave(status);                                                                                \
  } while (0)

/* The answer of a device that failed; hipSuccess when it did not. settle: also a failure no one was told of yet. */
hipError_t sim_healthy(const struct sim_device *device);
hipError_t sim_settle(struct sim_device *device);

/* Writes the report that hipsim_report gives, and returns `status`. */
hipError_t sim_report(hipError_t status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The thread's device, by number; -1: there is no such number. */
int sim_select(int index);
int sim_selected(void);
/* Forgets what the device holds: memory, modules, streams, events, failure. */
hipError_t sim_reset(struct sim_device *device);

/* ---- streams and events (sim_event.c) ---- */

/* The stream of a handle (0, hipStreamLegacy and hipStreamPerThread: the null stream of the device); NULL: none. */
struct ihipStream_t *sim_stream_find(struct sim_device *device, hipStream_t handle);
struct ihipEvent_t *sim_event_find(hipEvent_t handle);
/* When work that is given to the stream now begins. */
double sim_stream_now(struct ihipStream_t *stream);
void sim_stream_advance(struct ihipStream_t *stream, double ns);
void sim_event_stamp(struct ihipEvent_t *event, struct sim_device *device, double ns);
void sim_handles_forget(struct sim_device *device);

/* ---- modules (sim_api_module.c) ---- */

void sim_modules_forget(struct sim_device *device);
/* `size` 0: as long as its headers say. */
hipError_t sim_module_open(struct sim_device *device, hipModule_t *handle, const void *image, size_t size);
hipError_t sim_module_get_function(hipFunction_t *handle, hipModule_t from, const char *name);
hipError_t sim_module_get_global(hipDeviceptr_t *pointer, size_t *bytes, hipModule_t from, const char *name);
/* A hipFunction_t is a struct sim_function; *owner is its module. NULL: there is no such function. */
const struct sim_function *sim_function_find(hipFunction_t handle, struct ihipModule_t **owner);

#endif
