/* From (instance, problem) to a launch: grid, block and the argument struct with its magic numbers. */
#ifndef CKT_BENCH_CONV_LAUNCH_H
#define CKT_BENCH_CONV_LAUNCH_H

#include <stdint.h>

#include "common/error.h"
#include "gen/instance.h"
#include "gen/problem.h"
#include "kernels/conv_args.h"

struct ckt_conv_launch {
  struct ckt_conv_args args; /* pointers are 0: the runner sets args.in, args.wei, args.out */
  uint32_t grid[3];          /* workgroups */
  uint32_t block[3];         /* work-items */
};

/* The pair must be applicable. CKT_E_UNSUPPORTED names a quantity that does not fit the launch (grid, 32-bit
 * offset). */
int ckt_conv_launch_plan(const struct ckt_instance *instance, const struct ckt_problem *problem,
                         struct ckt_conv_launch *launch, struct ckt_error *error);

/* The numbers that divide by a constant (kernels/conv_args.h); 0 < divisor <= 2^31. */
struct ckt_magic ckt_magic_make(uint32_t divisor);

#endif
