/* Streams and events. Work is done when it is given, in the order of the calls; what streams have is a clock of
 * modelled time, and events keep readings of it. */
#include <stdlib.h>

#include "bench/hipsim/sim_runtime.h"

/* hipStreamLegacy and hipStreamPerThread, which not every version names. */
enum { STREAM_LEGACY = 1, STREAM_PER_THREAD = 2 };

/* ---- handles ---- */

struct ihipStream_t *sim_stream_find(struct sim_device *device, hipStream_t handle) {
  if ((uintptr_t)handle <= STREAM_PER_THREAD)
    return &device->null_stream;
  for (struct ihipStream_t *s = sim_runtime.streams; s != NULL; s = s->next)
    if (s == handle)
      return s;
  return NULL;
}

struct ihipEvent_t *sim_event_find(hipEvent_t handle) {
  for (struct ihipEvent_t *e = sim_runtime.events; e != NULL; e = e->next)
    if (e == handle)
      return e;
  return NULL;
}

void sim_handles_forget(struct sim_device *device) {
  for (struct ihipStream_t **link = &sim_runtime.streams; *link != NULL;) {
    struct ihipStream_t *stream = *link;
    if (stream->device == device) {
      *link = stream->next;
      free(stream);
    } else
      link = &stream->next;
  }
  for (struct ihipEvent_t **link = &sim_runtime.events; *link != NULL;) {
    struct ihipEvent_t *event = *link;
    if (event->device == device) {
      *link = event->next;
      free(event);
    } else
      link = &event->next;
  }
}

/* ---- time ---- */

/* The null stream waits for all blocking streams of the device, and they for it. */
double sim_stream_now(struct ihipStream_t *stream) {
  struct ihipStream_t *null_stream = &stream->device->null_stream;
  if (stream != null_stream) {
    if ((stream->flags & hipStreamNonBlocking) == 0 && null_stream->clock_ns > stream->clock_ns)
      stream->clock_ns = null_stream->clock_ns;
    return stream->clock_ns;
  }
  for (const struct ihipStream_t *s = sim_runtime.streams; s != NULL; s = s->next)
    if (s->device == stream->device && (s->flags & hipStreamNonBlocking) == 0 &&
        s->clock_ns > stream->clock_ns)
      stream->clock_ns = s->clock_ns;
  return stream->clock_ns;
}

void sim_stream_advance(struct ihipStream_t *stream, double ns) {
  stream->clock_ns = sim_stream_now(stream) + ns;
}

void sim_event_stamp(struct ihipEvent_t *event, struct sim_device *device, double ns) {
  event->device = device;
  event->recorded = true;
  event->at_ns = ns;
}

/* ---- streams ---- */

static hipError_t create_stream(struct sim_device *device, hipStream_t *handle, unsigned flags) {
  if (handle == NULL || (flags & ~(unsigned)hipStreamNonBlocking) != 0)
    return hipErrorInvalidValue;
  if (sim_healthy(device) != hipSuccess)
    return sim_healthy(device);
  struct ihipStream_t *stream = calloc(1, sizeof *stream);
  if (stream == NULL)
    return hipErrorOutOfMemory;
  stream->device = device;
  stream->flags = flags;
  stream->next = sim_runtime.streams;
  sim_runtime.streams = stream;
  *handle = stream;
  return hipSuccess;
}

static hipError_t destroy_stream(hipStream_t handle) {
  for (struct ihipStream_t **link = &sim_runtime.streams; *link != NULL; link = &(*link)->next)
    if (*link == handle) {
      *link = handle->next;
      const hipError_t status = sim_settle(handle->device);
      free(handle);
      return status;
    }
  return hipErrorInvalidHandle;
}

static hipError_t settle_stream(struct sim_device *device, hipStream_t handle) {
  const struct ihipStream_t *stream = sim_stream_find(device, handle);
  return stream != NULL ? sim_settle(stream->device) : hipErrorInvalidHandle;
}

static hipError_t wait_event(struct sim_device *device, hipStream_t to, hipEvent_t handle) {
  struct ihipStream_t *stream = sim_stream_find(device, to);
  const struct ihipEvent_t *event = sim_event_find(handle);
  if (stream == NULL || event == NULL)
    return hipErrorInvalidHandle;
  if (event->recorded && event->at_ns > sim_stream_now(stream))
    stream->clock_ns = event->at_ns;
  return sim_healthy(stream->device);
}

SIM_EXPORT hipError_t hipStreamCreate(hipStream_t *stream) {
  SIM_RETURN(create_stream(device, stream, 0));
}

SIM_EXPORT hipError_t hipStreamCreateWithFlags(hipStream_t *stream, unsigned flags) {
  SIM_RETURN(create_stream(device, stream, flags));
}

SIM_EXPORT hipError_t hipStreamDestroy(hipStream_t stream) {
  SIM_RETURN(destroy_stream(stream));
}

SIM_EXPORT hipError_t hipStreamSynchronize(hipStream_t stream) {
  SIM_RETURN(settle_stream(device, stream));
}

SIM_EXPORT hipError_t hipStreamQuery(hipStream_t stream) {
  SIM_RETURN(settle_stream(device, stream));
}

SIM_EXPORT hipError_t hipStreamWaitEvent(hipStream_t stream, hipEvent_t event, unsigned flags) {
  SIM_RETURN(flags == 0 ? wait_event(device, stream, event) : hipErrorInvalidValue);
}

/* ---- events ---- */

static hipError_t create_event(struct sim_device *device, hipEvent_t *handle, unsigned flags) {
  /* Blocking sync, disable timing, interprocess, and HIP's own release flags. */
  const unsigned known = 0x7u | 0xe0000000u;
  if (handle == NULL || (flags & ~known) != 0)
    return hipErrorInvalidValue;
  struct ihipEvent_t *event = calloc(1, sizeof *event);
  if (event == NULL)
    return hipErrorOutOfMemory;
  event->device = device;
  event->flags = flags;
  event->next = sim_runtime.events;
  sim_runtime.events = event;
  *handle = event;
  return hipSuccess;
}

static hipError_t destroy_event(hipEvent_t handle) {
  for (struct ihipEvent_t **link = &sim_runtime.events; *link != NULL; link = &(*link)->next)
    if (*link == handle) {
      *link = handle->next;
      free(handle);
      return hipSuccess;
    }
  return hipErrorInvalidHandle;
}

static hipError_t record_event(struct sim_device *device, hipEvent_t handle, hipStream_t on) {
  struct ihipStream_t *stream = sim_stream_find(device, on);
  struct ihipEvent_t *event = sim_event_find(handle);
  if (stream == NULL || event == NULL)
    return hipErrorInvalidHandle;
  if (sim_healthy(stream->device) != hipSuccess)
    return sim_healthy(stream->device);
  sim_event_stamp(event, stream->device, sim_stream_now(stream));
  return hipSuccess;
}

static hipError_t settle_event(hipEvent_t handle) {
  const struct ihipEvent_t *event = sim_event_find(handle);
  return event != NULL ? sim_settle(event->device) : hipErrorInvalidHandle;
}

static bool is_timed(const struct ihipEvent_t *event) {
  return event->recorded && (event->flags & hipEventDisableTiming) == 0;
}

static hipError_t elapsed(float *ms, hipEvent_t start_handle, hipEvent_t stop_handle) {
  const struct ihipEvent_t *start = sim_event_find(start_handle), *stop = sim_event_find(stop_handle);
  if (ms == NULL)
    return hipErrorInvalidValue;
  if (start == NULL || stop == NULL || !is_timed(start) || !is_timed(stop) || start->device != stop->device)
    return hipErrorInvalidHandle;
  const hipError_t status = sim_settle(stop->device);
  if (status == hipSuccess)
    *ms = (float)((stop->at_ns - start->at_ns) / 1e6);
  return status;
}

SIM_EXPORT hipError_t hipEventCreate(hipEvent_t *event) {
  SIM_RETURN(create_event(device, event, 0));
}

SIM_EXPORT hipError_t hipEventCreateWithFlags(hipEvent_t *event, unsigned flags) {
  SIM_RETURN(create_event(device, event, flags));
}

SIM_EXPORT hipError_t hipEventDestroy(hipEvent_t event) {
  SIM_RETURN(destroy_event(event));
}

SIM_EXPORT hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream) {
  SIM_RETURN(record_event(device, event, stream));
}

SIM_EXPORT hipError_t hipEventSynchronize(hipEvent_t event) {
  SIM_RETURN(settle_event(event));
}

SIM_EXPORT hipError_t hipEventQuery(hipEvent_t event) {
  SIM_RETURN(settle_event(event));
}

SIM_EXPORT hipError_t hipEventElapsedTime(float *ms, hipEvent_t start, hipEvent_t stop) {
  SIM_RETURN(elapsed(ms, start, stop));
}
