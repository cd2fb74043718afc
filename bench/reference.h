/* The right answer, on the host, in fp64. */
#ifndef CKT_BENCH_REFERENCE_H
#define CKT_BENCH_REFERENCE_H

#include <stdint.h>

#include "common/error.h"
#include "gen/problem.h"

/* The three tensors of a problem on the host, in the dtype's own bits, seeded N(0,1) rounded to the dtype,
 * and the expected output with its tolerance terms. */
struct ckt_reference {
  struct ckt_problem problem;
  void *in; /* input elements, dtype bits */
  void *wei;
  int64_t out_elements;
  double *out;       /* sum of products, fp64 */
  float *magnitude;  /* S = sqrt(sum (a*b)^2) per output element, rounded up */
  int64_t *terms;    /* NULL when every element has the same number of terms, which `max_terms` is */
  int64_t max_terms; /* n of the tolerance formula */
  uint64_t seed;
};

/* How the tensors are filled. */
enum ckt_init { CKT_INIT_NORMAL, CKT_INIT_INTEGER };

/* MACs beyond which the host reference is refused on hardware (DESIGN: exit 3 until the device-side one is
 * there). */
#define CKT_REFERENCE_MAX_MACS ((int64_t)1 << 38)

/* Fills *reference, over `threads` threads (0: as many as the process may use). Result does not depend on the
 * thread count. */
int ckt_reference_create(const struct ckt_problem *problem, enum ckt_init init, uint64_t seed, int threads,
                         struct ckt_reference *reference, struct ckt_error *error);
void ckt_reference_free(struct ckt_reference *reference);

#endif
