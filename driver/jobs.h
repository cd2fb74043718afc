/* How many compile processes the machine bears. */
#ifndef CKT_DRIVER_JOBS_H
#define CKT_DRIVER_JOBS_H

#include <stdint.h>

#define CKT_JOB_MEMORY ((int64_t)512 << 20) /* what one hipRTC compile may need */
#define CKT_JOBS_MAX   256

/* The least of the processors this process may run on, the cgroup's quota of processor time and the free
 * memory / CKT_JOB_MEMORY, one share of which is left to the run worker; at least 1. */
int64_t ckt_jobs_default(void);

/* The same from given figures; quota and memory below 0 mean no limit. */
int64_t ckt_jobs_from(int64_t processors, double quota, int64_t free_bytes);

#endif
