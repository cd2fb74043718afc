#include "driver/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/file.h"
#include "driver/worker.h"

#define HELLO_SECONDS 60.0 /* loading HIP from a slow disk takes long */

const char *ckt_slot_name(size_t slot) {
  return slot == CKT_RUN_SLOT ? "the run worker" : "the compile worker";
}

int64_t ckt_device_memory(const struct ckt_device *device) {
  return device->simulated ? 0 : device->memory_bytes;
}

int ckt_session_create(const struct ckt_session_setup *setup, struct ckt_session *session,
                       struct ckt_error *error) {
  *session = (struct ckt_session){.setup = *setup};
  CKT_TRY(ckt_scratch_create(&session->scratch, error));
  const int status =
      ckt_pool_create(CKT_FIRST_COMPILE_SLOT + setup->jobs, session->scratch.folder, &session->pool, error);
  if (status != CKT_OK)
    ckt_scratch_remove(&session->scratch);
  return status;
}

void ckt_session_destroy(struct ckt_session *session) {
  ckt_pool_destroy(&session->pool);
  ckt_scratch_remove(&session->scratch);
}

static void add_text_or_null(cJSON *object, const char *name, const char *text) {
  if (text != NULL)
    cJSON_AddStringToObject(object, name, text);
  else
    cJSON_AddNullToObject(object, name);
}

static cJSON *make_setup(const struct ckt_session_setup *setup, size_t slot) {
  cJSON *message = cJSON_CreateObject();
  add_text_or_null(message, "rocm", setup->rocm);
  if (slot != CKT_RUN_SLOT) {
    add_text_or_null(message, "kernels", setup->kernels);
    return message;
  }
  char seed[32];
  snprintf(seed, sizeof seed, "%lld", (long long)setup->seed);
  cJSON_AddBoolToObject(message, "simulated", setup->choice.simulated);
  add_text_or_null(message, "sim_device", setup->choice.simulated ? setup->choice.sim_device : NULL);
  cJSON_AddNumberToObject(message, "device", setup->choice.index);
  cJSON_AddBoolToObject(message, "integer", setup->integer);
  cJSON_AddStringToObject(message, "seed", seed);
  return message;
}

int ckt_session_launch(struct ckt_session *session, size_t slot, struct ckt_error *error) {
  CKT_TRY(ckt_pool_start(session->pool, slot, slot == CKT_RUN_SLOT ? CKT_ROLE_RUN : CKT_ROLE_COMPILE, error));
  return ckt_pool_send(session->pool, slot, make_setup(&session->setup, slot), HELLO_SECONDS, error);
}

static void copy_text(char *to, size_t size, const cJSON *object, const char *name) {
  const char *text = ckt_json_text(object, name);
  snprintf(to, size, "%s", text != NULL ? text : "");
}

static void read_device(const cJSON *object, struct ckt_device *device) {
  *device = (struct ckt_device){
      .index = (int)ckt_json_number(object, "index", 0),
      .simulated = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(object, "simulated")),
      .compute_units = (int64_t)ckt_json_number(object, "compute_units", 0),
      .memory_bytes = (int64_t)ckt_json_number(object, "memory_bytes", 0),
      .clock_khz = (int64_t)ckt_json_number(object, "clock_khz", 0),
      .lds_bytes = (int64_t)ckt_json_number(object, "lds_bytes", 0),
  };
  copy_text(device->name, sizeof device->name, object, "name");
  copy_text(device->target, sizeof device->target, object, "target");
  copy_text(device->arch, sizeof device->arch, object, "arch");
}

static int heard_compile(struct ckt_session *session, const cJSON *message, struct ckt_error *error) {
  char digest[CKT_HASH_TEXT];
  copy_text(digest, sizeof digest, message, "headers");
  if (session->headers_digest[0] != '\0' && strcmp(digest, session->headers_digest) != 0)
    return ckt_fail(error, CKT_E_INPUT,
                    "the kernel headers in %s changed while they were in use; run the command again",
                    session->setup.kernels != NULL ? session->setup.kernels : "the program");
  memcpy(session->headers_digest, digest, sizeof digest);
  copy_text(session->rtc_version, sizeof session->rtc_version, message, "version");
  copy_text(session->rtc_library, sizeof session->rtc_library, message, "library");
  return CKT_OK;
}

/* An index may mean another GPU once one of them is gone, and times of two GPUs must not be mixed. */
static int heard_run(struct ckt_session *session, const cJSON *message, struct ckt_error *error) {
  struct ckt_device device;
  read_device(cJSON_GetObjectItemCaseSensitive(message, "device"), &device);
  const struct ckt_device *first = &session->device;
  if (first->target[0] != '\0' &&
      (strcmp(first->target, device.target) != 0 || strcmp(first->name, device.name) != 0 ||
       first->compute_units != device.compute_units))
    return ckt_fail(
        error, CKT_E_DEVICE,
        "device %d was %s (%s) and is now %s (%s): a GPU was lost; look at the kernel log, and run "
        "the command again when all are back",
        device.index, first->name, first->target, device.name, device.target);
  session->device = device;
  copy_text(session->hip_version, sizeof session->hip_version, message, "hip_version");
  copy_text(session->hip_library, sizeof session->hip_library, message, "library");
  return CKT_OK;
}

int ckt_session_heard(struct ckt_session *session, size_t slot, const cJSON *message,
                      struct ckt_error *error) {
  const char *complaint = ckt_json_text(message, "error");
  if (complaint != NULL)
    return ckt_fail(error, (int)ckt_json_number(message, "code", CKT_E_WORKER), "%s", complaint);
  return slot == CKT_RUN_SLOT ? heard_run(session, message, error) : heard_compile(session, message, error);
}

/* Waits for the event of one slot. A worker in another slot was asked nothing; if it ends meanwhile, whoever needs
 * it next finds its slot free. */
static int await(struct ckt_session *session, size_t slot, struct ckt_pool_event *event,
                 struct ckt_error *error) {
  for (;;) {
    CKT_TRY(ckt_pool_next(session->pool, 3600, event, error));
    if (event->kind == CKT_EVENT_SIGNAL)
      return ckt_fail(error, CKT_E_INTERRUPTED, "interrupted before the first measurement");
    if (event->kind != CKT_EVENT_TICK && event->slot == slot)
      return CKT_OK;
    cJSON_Delete(event->message);
  }
}

/* A worker that ended is replaced once: somebody else may have killed it. */
static int launch_and_wait(struct ckt_session *session, size_t slot, struct ckt_pool_event *event,
                           struct ckt_error *error) {
  for (int tries = 0;; tries++) {
    CKT_TRY(ckt_session_launch(session, slot, error));
    CKT_TRY(await(session, slot, event, error));
    if (event->kind != CKT_EVENT_DIED || tries > 0)
      return CKT_OK;
  }
}

int ckt_session_open(struct ckt_session *session, size_t slot, struct ckt_error *error) {
  struct ckt_pool_event event;
  CKT_TRY(launch_and_wait(session, slot, &event, error));
  if (event.kind == CKT_EVENT_DEADLINE)
    return ckt_fail(error, CKT_E_TOOLCHAIN, "%s was not ready after %.0f s while it opened %s: %s",
                    ckt_slot_name(slot), HELLO_SECONDS, slot == CKT_RUN_SLOT ? "HIP" : "hipRTC", event.cause);
  if (event.kind == CKT_EVENT_DIED)
    return ckt_fail(error, CKT_E_TOOLCHAIN, "%s ended while it opened %s: %s", ckt_slot_name(slot),
                    slot == CKT_RUN_SLOT ? "HIP" : "hipRTC", event.cause);
  const int status = ckt_session_heard(session, slot, event.message, error);
  cJSON_Delete(event.message);
  return status;
}

#define PROBE_ENTRY "ckt_probe"

static int send_probe(struct ckt_session *session, const char *target, double seconds,
                      struct ckt_error *error) {
  static const char source[] = "extern \"C\" __global__ void " PROBE_ENTRY "() {}\n";
  char path[1200], output[1200], log[1200];
  snprintf(path, sizeof path, "%s/probe.hip", session->scratch.folder);
  snprintf(output, sizeof output, "%s/probe.co", session->scratch.folder);
  snprintf(log, sizeof log, "%s/probe.log", session->scratch.folder);
  CKT_TRY(ckt_file_write(path, source, sizeof source - 1, error));
  cJSON *request = cJSON_CreateObject();
  cJSON_AddStringToObject(request, "source", path);
  cJSON_AddStringToObject(request, "target", target);
  cJSON_AddStringToObject(request, "kernel", PROBE_ENTRY);
  cJSON_AddStringToObject(request, "output", output);
  cJSON_AddStringToObject(request, "log", log);
  return ckt_pool_send(session->pool, CKT_FIRST_COMPILE_SLOT, request, seconds, error);
}

/* Sends the probe and waits. A worker that ended is replaced once and asked again, like above, while a compiler that
 * cannot bear the target ends every time. */
static int probe(struct ckt_session *session, const char *target, double seconds,
                 struct ckt_pool_event *event, struct ckt_error *error) {
  for (int tries = 0;; tries++) {
    if (!ckt_pool_running(session->pool, CKT_FIRST_COMPILE_SLOT))
      CKT_TRY(ckt_session_open(session, CKT_FIRST_COMPILE_SLOT, error));
    CKT_TRY(send_probe(session, target, seconds, error));
    CKT_TRY(await(session, CKT_FIRST_COMPILE_SLOT, event, error));
    if (event->kind != CKT_EVENT_DIED || tries > 0)
      return CKT_OK;
  }
}

int ckt_session_probe(struct ckt_session *session, const char *target, double seconds,
                      struct ckt_error *error) {
  struct ckt_pool_event event;
  CKT_TRY(probe(session, target, seconds, &event, error));
  if (event.kind == CKT_EVENT_DEADLINE)
    return ckt_fail(error, CKT_E_TOOLCHAIN,
                    "%s (%s) did not compile an empty kernel for %s within %g s; raise --compile-timeout",
                    session->rtc_version, session->rtc_library, target, seconds);
  const char *complaint =
      event.kind == CKT_EVENT_MESSAGE ? ckt_json_text(event.message, "error") : event.cause;
  int status = CKT_OK;
  if (complaint != NULL)
    status = ckt_fail(
        error, CKT_E_TOOLCHAIN,
        "%s (%s) cannot compile an empty kernel for %s: %s%s; a ROCm that knows this architecture is "
        "needed (gfx908, gfx90a: 5.2; gfx942: 6.0; gfx950: 7.0 or later), name it with --rocm DIR",
        session->rtc_version, session->rtc_library, target,
        event.kind == CKT_EVENT_DIED ? "it ended the process, " : "", complaint);
  cJSON_Delete(event.message);
  return status;
}
