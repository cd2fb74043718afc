/* Does an output agree with the reference?
 *
 * Per element, with n terms and S = sqrt(sum (a*b)^2):
 *   |out - ref| <= u_out*|ref| + 2^-24 * (8*sqrt(n) + n/4) * max(S, |ref|)
 * u_out = 2^-11 fp16, 2^-8 bf16, 2^-23 fp32. NaN and Inf are wrong. The first term is the rounding of the
 * result (and never less than half the smallest subnormal of the dtype, which is what rounding costs a result
 * near zero), the second bounds fp32 accumulation in any order: 8*sqrt(n) the random walk of rounding, n/4
 * truncating hardware. n counts the products of the element that are not padding: adding a zero rounds
 * nothing. */
#ifndef CKT_BENCH_VERIFY_H
#define CKT_BENCH_VERIFY_H

#include <stdint.h>

#include "bench/reference.h"

struct ckt_verdict {
  double error_ratio; /* largest |out-ref| / allowed; infinity for NaN or Inf */
  int64_t wrong_elements;
  int64_t worst_index;
  double worst_out, worst_ref;
};

/* `out` has the dtype's bits. */
void ckt_verify(const struct ckt_reference *reference, const void *out, struct ckt_verdict *verdict);
/* The tolerance of one element, for tests and messages. */
double ckt_tolerance(enum ckt_dtype dtype, int64_t terms, double magnitude, double ref);

#endif
