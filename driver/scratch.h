/* A run's folder for what must not outlive it: the workers' TMPDIRs, where a killed compile leaves its files. */
#ifndef CKT_DRIVER_SCRATCH_H
#define CKT_DRIVER_SCRATCH_H

#include "common/error.h"

struct ckt_scratch {
  char *folder; /* owned; below $TMPDIR or /tmp */
  int lock;     /* held while the folder is in use, so that a later run knows an abandoned one */
};

/* Makes the folder, and removes those that killed runs of this user left behind. */
int ckt_scratch_create(struct ckt_scratch *scratch, struct ckt_error *error);
void ckt_scratch_remove(struct ckt_scratch *scratch);

#endif
