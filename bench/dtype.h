/* Elements of the tensors as numbers: fp32, fp16 and bf16 to and from float. */
#ifndef CKT_BENCH_DTYPE_H
#define CKT_BENCH_DTYPE_H

#include <stdint.h>

#include "gen/problem.h"

/* to[0..count) = elements first..first+count of a tensor in the dtype's bits. Exact. */
void ckt_dtype_decode(enum ckt_dtype dtype, const void *tensor, int64_t first, int64_t count, float *to);
/* The other way, rounded to nearest even; beyond the range becomes infinity. */
void ckt_dtype_encode(enum ckt_dtype dtype, const float *from, int64_t first, int64_t count, void *tensor);

/* Half a unit in the last place of 1 (the u_out of bench/verify.h), and the smallest normal and subnormal
 * numbers. */
struct ckt_dtype_facts {
  double roundoff;
  double smallest_normal;
  double smallest_subnormal;
};
struct ckt_dtype_facts ckt_dtype_facts(enum ckt_dtype dtype);

#endif
