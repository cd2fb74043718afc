/* Time that only goes forward. */
#ifndef CKT_COMMON_CLOCK_H
#define CKT_COMMON_CLOCK_H

/* Seconds since some moment; only differences mean anything. */
double ckt_now(void);

#endif
