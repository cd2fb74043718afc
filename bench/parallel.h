/* Independent pieces of work over threads. */
#ifndef CKT_BENCH_PARALLEL_H
#define CKT_BENCH_PARALLEL_H

#include <stdint.h>

/* Calls work(context, worker, item) once for every item in [0, items), over at most `workers` threads, one of
 * them the caller; worker is below `workers` and no two calls with the same worker overlap. Threads that
 * cannot be started are done without. */
void ckt_parallel(int workers, int64_t items, void (*work)(void *context, int worker, int64_t item),
                  void *context);

#endif
