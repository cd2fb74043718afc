#include "driver/pool.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "common/child.h"
#include "common/clock.h"
#include "driver/worker.h"

struct place {
  struct ckt_child *child; /* NULL: free */
  double deadline;         /* on ckt_now's clock; INFINITY: none */
};

struct ckt_pool {
  struct place *places;
  struct pollfd *polled; /* signals, then socket and stderr of each place */
  size_t slots;
  size_t turn; /* the place looked at first, so that none starves */
  char *scratch;
  int signals;
  sigset_t previous_mask;
};

int ckt_pool_create(size_t slots, const char *scratch, struct ckt_pool **pool, struct ckt_error *error) {
  struct ckt_pool *made = calloc(1, sizeof *made);
  if (made == NULL)
    return ckt_fail(error, CKT_E_NOMEM, "memory ran out");
  made->slots = slots;
  made->places = calloc(slots, sizeof *made->places);
  made->polled = calloc(1 + 2 * slots, sizeof *made->polled);
  made->scratch = strdup(scratch);
  sigset_t stopping;
  sigemptyset(&stopping);
  sigaddset(&stopping, SIGINT);
  sigaddset(&stopping, SIGTERM);
  sigaddset(&stopping, SIGHUP);
  sigprocmask(SIG_BLOCK, &stopping, &made->previous_mask);
  made->signals = signalfd(-1, &stopping, SFD_CLOEXEC | SFD_NONBLOCK);
  *pool = made;
  if (made->places != NULL && made->polled != NULL && made->scratch != NULL && made->signals >= 0)
    return CKT_OK;
  ckt_pool_destroy(pool);
  return ckt_fail(error, CKT_E_NOMEM, "the worker pool could not be made: memory or descriptors ran out");
}

void ckt_pool_destroy(struct ckt_pool **pool) {
  if (*pool == NULL)
    return;
  for (size_t i = 0; (*pool)->places != NULL && i < (*pool)->slots; i++)
    ckt_pool_stop(*pool, i);
  if ((*pool)->signals >= 0)
    close((*pool)->signals);
  sigprocmask(SIG_SETMASK, &(*pool)->previous_mask, NULL);
  free((*pool)->places);
  free((*pool)->polled);
  free((*pool)->scratch);
  free(*pool);
  *pool = NULL;
}

int ckt_pool_start(struct ckt_pool *pool, size_t slot, const char *role, struct ckt_error *error) {
  const char *const arguments[] = {"cktune", CKT_WORKER_WORD, role, NULL};
  const struct ckt_child_setup setup = {.arguments = arguments, .scratch = pool->scratch};
  pool->places[slot].deadline = INFINITY;
  return ckt_child_start(&setup, &pool->places[slot].child, error);
}

void ckt_pool_stop(struct ckt_pool *pool, size_t slot) {
  ckt_child_destroy(&pool->places[slot].child);
}

bool ckt_pool_running(const struct ckt_pool *pool, size_t slot) {
  return pool->places[slot].child != NULL;
}

pid_t ckt_pool_pid(const struct ckt_pool *pool, size_t slot) {
  return pool->places[slot].child != NULL ? ckt_child_pid(pool->places[slot].child) : 0;
}

int ckt_pool_send(struct ckt_pool *pool, size_t slot, cJSON *message, double seconds,
                  struct ckt_error *error) {
  char *line = cJSON_PrintUnformatted(message);
  cJSON_Delete(message);
  if (line == NULL)
    return ckt_fail(error, CKT_E_NOMEM, "memory ran out");
  pool->places[slot].deadline = ckt_now() + seconds;
  ckt_child_send(pool->places[slot].child, line, NULL);
  cJSON_free(line);
  return CKT_OK;
}

/* Ends a worker and says how it ended; the slot is then free. */
static void bury(struct ckt_pool *pool, size_t slot, enum ckt_pool_event_kind kind, const char *nonsense,
                 struct ckt_pool_event *event) {
  struct ckt_child *child = pool->places[slot].child;
  char end[CKT_CHILD_CAUSE_MAX];
  ckt_child_end(child, end);
  const char *said = ckt_child_said(child);
  const size_t length = strlen(said), shown = 400; /* the end is what tells */
  *event = (struct ckt_pool_event){.kind = kind, .slot = slot};
  snprintf(event->cause, sizeof event->cause, "%s%s%s%s", nonsense != NULL ? nonsense : end,
           length > 0 ? "; it said: " : "", length > shown ? "..." : "",
           length > shown ? said + length - shown : said);
  ckt_child_destroy(&pool->places[slot].child);
}

/* True when the place gives an event. */
static bool look(struct ckt_pool *pool, size_t slot, struct ckt_pool_event *event) {
  struct place *place = &pool->places[slot];
  const char *line;
  if (place->child == NULL)
    return false;
  ckt_child_read_stderr(place->child);
  switch (ckt_child_receive(place->child, &line)) {
  case CKT_CHILD_LINE:
    *event = (struct ckt_pool_event){.kind = CKT_EVENT_MESSAGE, .slot = slot, .message = cJSON_Parse(line)};
    place->deadline = INFINITY;
    if (!cJSON_IsObject(event->message)) {
      cJSON_Delete(event->message);
      bury(pool, slot, CKT_EVENT_DIED, "it sent what is no message", event);
    }
    return true;
  case CKT_CHILD_TOO_LONG:
    bury(pool, slot, CKT_EVENT_DIED, "it sent a message without an end", event);
    return true;
  case CKT_CHILD_CLOSED:
    bury(pool, slot, CKT_EVENT_DIED, NULL, event);
    return true;
  case CKT_CHILD_NOTHING:
    break;
  }
  if (ckt_now() < place->deadline)
    return false;
  bury(pool, slot, CKT_EVENT_DEADLINE, NULL, event);
  return true;
}

static bool look_at_signals(struct ckt_pool *pool, struct ckt_pool_event *event) {
  struct signalfd_siginfo info;
  if (read(pool->signals, &info, sizeof info) != (ssize_t)sizeof info)
    return false;
  *event = (struct ckt_pool_event){.kind = CKT_EVENT_SIGNAL, .signal = (int)info.ssi_signo};
  return true;
}

static bool look_at_all(struct ckt_pool *pool, struct ckt_pool_event *event) {
  if (look_at_signals(pool, event))
    return true;
  for (size_t i = 0; i < pool->slots; i++) {
    const size_t slot = (pool->turn + i) % pool->slots;
    if (look(pool, slot, event)) {
      pool->turn = slot + 1;
      return true;
    }
  }
  return false;
}

/* Sleeps until a descriptor is ready, the nearest deadline, or `until`. */
static int wait_for_any(struct ckt_pool *pool, double until, struct ckt_error *error) {
  double wake = until;
  pool->polled[0] = (struct pollfd){.fd = pool->signals, .events = POLLIN};
  for (size_t i = 0; i < pool->slots; i++) {
    const struct place *place = &pool->places[i];
    const bool used = place->child != NULL;
    pool->polled[1 + 2 * i] =
        (struct pollfd){.fd = used ? ckt_child_socket(place->child) : -1, .events = POLLIN};
    pool->polled[2 + 2 * i] =
        (struct pollfd){.fd = used ? ckt_child_stderr(place->child) : -1, .events = POLLIN};
    if (used && place->deadline < wake)
      wake = place->deadline;
  }
  const double left = wake - ckt_now();
  const int ms = left <= 0 ? 0 : left > 3600 ? 3600000 : (int)ceil(left * 1000);
  if (poll(pool->polled, 1 + 2 * pool->slots, ms) < 0 && errno != EINTR)
    return ckt_fail(error, CKT_E_WORKER, "waiting for the workers failed: %s", strerror(errno));
  return CKT_OK;
}

int ckt_pool_next(struct ckt_pool *pool, double tick, struct ckt_pool_event *event, struct ckt_error *error) {
  const double until = ckt_now() + tick;
  while (!look_at_all(pool, event)) {
    if (ckt_now() >= until) {
      *event = (struct ckt_pool_event){.kind = CKT_EVENT_TICK};
      return CKT_OK;
    }
    CKT_TRY(wait_for_any(pool, until, error));
  }
  return CKT_OK;
}
