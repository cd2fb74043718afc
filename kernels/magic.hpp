// Division by a constant of the launch: a multiplication and a shift (struct ckt_magic, filled by the host).
#pragma once

#include "conv_args.h"
#include "types.hpp"

namespace ckt {

// n < 2^31. The compiler makes this a scalar or a vector mul_hi, after what n is.
__device__ inline u32 divide(u32 n, const ckt_magic &magic) {
  const u32 high = (u32)(((u64)n * magic.multiplier) >> 32);
  return (high + n) >> magic.shift;
}

// n becomes the remainder.
__device__ inline u32 divide_off(u32 &n, const ckt_magic &magic) {
  const u32 quotient = divide(n, magic);
  n -= quotient * magic.divisor;
  return quotient;
}

} // namespace ckt
