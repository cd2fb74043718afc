/* How far a run is, on stderr: one line that renews itself on a terminal, a plain line now and then elsewhere. */
#ifndef CKT_DRIVER_PROGRESS_H
#define CKT_DRIVER_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

struct ckt_progress {
  bool on, terminal;
  double start; /* ckt_now when it began */
  double shown; /* when the last line was written */
  size_t total; /* pairs to do in this process */
  size_t done;
  size_t compiled;  /* code objects compiled in this process */
  double best_ms;   /* of the problem at hand; 0: none yet */
  char problem[96]; /* which one that is */
};

void ckt_progress_start(struct ckt_progress *progress, size_t total, bool quiet);
/* Shows it if it is time. */
void ckt_progress_show(struct ckt_progress *progress);
/* Clears the terminal's line so that another message can be written. */
void ckt_progress_clear(struct ckt_progress *progress);

#endif
