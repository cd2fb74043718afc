/* Data for the tensors: reproducible from seed, tensor and index alone. */
#ifndef CKT_BENCH_FILL_H
#define CKT_BENCH_FILL_H

#include <stdint.h>

#include "bench/reference.h"

/* Which stream of numbers a tensor takes. */
enum ckt_fill_stream { CKT_FILL_INPUT = 1, CKT_FILL_WEIGHT = 2 };

/* Fills a tensor of `count` elements in the dtype's bits. CKT_INIT_NORMAL: N(0,1) rounded to nearest even,
 * with what would be subnormal made zero, since some devices flush subnormal operands and some do not.
 * CKT_INIT_INTEGER: whole numbers from -4 to 4, whose products and sums fp32 holds exactly. */
void ckt_fill(enum ckt_dtype dtype, enum ckt_init init, uint64_t seed, enum ckt_fill_stream stream,
              int64_t count, int workers, void *tensor);

#endif
