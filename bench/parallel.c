#include "bench/parallel.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#define MOST_WORKERS 256

struct job {
  void (*work)(void *context, int worker, int64_t item);
  void *context;
  int64_t items;
  atomic_llong next;
};

struct worker {
  struct job *job;
  pthread_t thread;
  int index;
};

static void run(struct job *job, int worker) {
  for (;;) {
    const int64_t item = atomic_fetch_add(&job->next, 1);
    if (item >= job->items)
      return;
    job->work(job->context, worker, item);
  }
}

static void *thread_main(void *argument) {
  const struct worker *worker = argument;
  run(worker->job, worker->index);
  return NULL;
}

void ckt_parallel(int workers, int64_t items, void (*work)(void *context, int worker, int64_t item),
                  void *context) {
  struct job job = {.work = work, .context = context, .items = items};
  struct worker started[MOST_WORKERS];
  const int wanted = workers < MOST_WORKERS ? workers : MOST_WORKERS;
  int count = 0;
  while (count + 1 < wanted && count + 1 < items) {
    struct worker *worker = &started[count];
    *worker = (struct worker){.job = &job, .index = count + 1};
    if (pthread_create(&worker->thread, NULL, thread_main, worker) != 0)
      break;
    count++;
  }
  run(&job, 0);
  for (int i = 0; i < count; i++)
    pthread_join(started[i].thread, NULL);
}
