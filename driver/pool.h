/* Workers under one poll loop, which turns everything that happens into events. */
#ifndef CKT_DRIVER_POOL_H
#define CKT_DRIVER_POOL_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "common/error.h"

struct ckt_pool; /* opaque */

enum ckt_pool_event_kind {
  CKT_EVENT_MESSAGE,  /* a worker answered; its deadline is off */
  CKT_EVENT_DIED,     /* a worker ended, or spoke nonsense and was ended; its slot is free */
  CKT_EVENT_DEADLINE, /* a worker did not answer in time and was killed; its slot is free */
  CKT_EVENT_SIGNAL,   /* SIGINT, SIGTERM or SIGHUP asks to stop */
  CKT_EVENT_TICK      /* nothing happened for a while */
};

#define CKT_POOL_CAUSE_MAX 640

struct ckt_pool_event {
  enum ckt_pool_event_kind kind;
  size_t slot;
  cJSON *message;                 /* CKT_EVENT_MESSAGE: owned by the receiver */
  char cause[CKT_POOL_CAUSE_MAX]; /* how a worker ended and the end of what it said on stderr */
  int signal;
};

/* A pool of `slots` places, all free. While it lives, the signals above are blocked and read as events.
 * `scratch` is the folder for the workers' TMPDIRs. */
int ckt_pool_create(size_t slots, const char *scratch, struct ckt_pool **pool, struct ckt_error *error);
/* Kills and reaps all workers and gives the signals back. Accepts NULL and clears the handle. */
void ckt_pool_destroy(struct ckt_pool **pool);

/* Starts a worker of a role (driver/worker.h) in a free slot. */
int ckt_pool_start(struct ckt_pool *pool, size_t slot, const char *role, struct ckt_error *error);
/* Ends the slot's worker, if there is one. */
void ckt_pool_stop(struct ckt_pool *pool, size_t slot);
bool ckt_pool_running(const struct ckt_pool *pool, size_t slot);
pid_t ckt_pool_pid(const struct ckt_pool *pool, size_t slot);

/* Sends a message, which it frees, and expects the answer within so many seconds. A worker that cannot be sent
 * to is found dead by the next ckt_pool_next. */
int ckt_pool_send(struct ckt_pool *pool, size_t slot, cJSON *message, double seconds,
                  struct ckt_error *error);

/* Waits for the next event, for at most `tick` seconds. */
int ckt_pool_next(struct ckt_pool *pool, double tick, struct ckt_pool_event *event, struct ckt_error *error);

#endif
