/* What this machine lets the process have. */
#ifndef CKT_COMMON_MACHINE_H
#define CKT_COMMON_MACHINE_H

#include <stdint.h>

/* CPUs that the process may run on, by its affinity; at least 1. */
int ckt_usable_cpus(void);
/* Bytes that can be had without swapping (MemAvailable of proc(5)); INT64_MAX where the system does not say. */
int64_t ckt_available_memory(void);

#endif
