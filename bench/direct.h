/* Direct convolution on the host in fp64: the arithmetic behind bench/reference.h. */
#ifndef CKT_BENCH_DIRECT_H
#define CKT_BENCH_DIRECT_H

#include <stdint.h>

#include "common/error.h"
#include "gen/problem.h"

/* One tensor product and where its results go; arrays are the caller's. */
struct ckt_direct {
  const struct ckt_problem *problem;
  const float *in;  /* decoded */
  const float *wei; /* decoded */
  double *out;      /* sum of products */
  float *magnitude; /* sqrt(sum (a*b)^2), rounded up */
  int64_t *terms;   /* products that are not padding, per output element; NULL: not wanted */
};

/* Scratch memory of a worker, in bytes for each weight of one output channel. */
#define CKT_DIRECT_PANEL_BYTES ((int64_t)64)

/* Every output element is summed by one thread in one order (taps, then channels), so that the result does
 * not depend on `workers`. */
int ckt_direct_forward(const struct ckt_direct *direct, int workers, struct ckt_error *error);

#endif
