/* The workers of one command, and what they found: device, HIP, hipRTC. */
#ifndef CKT_DRIVER_SESSION_H
#define CKT_DRIVER_SESSION_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/code_cache.h"
#include "bench/hip_api.h"
#include "common/hash.h"
#include "driver/device_choice.h"
#include "driver/pool.h"
#include "driver/scratch.h"

/* Slots of the pool: one run worker, then the compile workers. */
enum { CKT_RUN_SLOT, CKT_FIRST_COMPILE_SLOT };

struct ckt_session_setup {
  struct ckt_device_choice choice;
  const char *rocm, *kernels; /* --rocm, --kernels, or NULL */
  bool integer;               /* --init integer */
  int64_t seed;
  size_t jobs; /* most compile workers */
};

struct ckt_session {
  struct ckt_session_setup setup;
  struct ckt_scratch scratch;
  struct ckt_pool *pool;
  /* From the run worker: */
  struct ckt_device device;
  char hip_version[64];
  char hip_library[1024];
  /* From the first compile worker: */
  char rtc_version[128];
  char rtc_library[1024];
  char headers_digest[CKT_HASH_TEXT];
};

int ckt_session_create(const struct ckt_session_setup *setup, struct ckt_session *session,
                       struct ckt_error *error);
/* Accepts a zeroed session. */
void ckt_session_destroy(struct ckt_session *session);

/* Starts the worker of a slot and tells it its setup; it will answer what it found. */
int ckt_session_launch(struct ckt_session *session, size_t slot, struct ckt_error *error);
/* Reads that answer. A later worker must have found what the first one did (device, kernel headers). The code is
 * the worker's own: CKT_E_TOOLCHAIN, CKT_E_DEVICE ... */
int ckt_session_heard(struct ckt_session *session, size_t slot, const cJSON *message,
                      struct ckt_error *error);
/* Launches and waits for the answer. */
int ckt_session_open(struct ckt_session *session, size_t slot, struct ckt_error *error);

/* Compiles an empty kernel for a target. CKT_E_TOOLCHAIN names hipRTC's version, the target and the remedy when
 * hipRTC refuses it or ends the process. */
int ckt_session_probe(struct ckt_session *session, const char *target, double seconds,
                      struct ckt_error *error);

/* A device's memory as a part of what it is: 0 for a simulated one, whose memory is what the host has free. */
int64_t ckt_device_memory(const struct ckt_device *device);

/* "the compile worker" or "the run worker", for messages. */
const char *ckt_slot_name(size_t slot);

#endif
