/* The argument of every convolution kernel, shared by host and device: plain C, compiled by both, so nothing
 * is included but what hipRTC knows without headers. */
#ifndef CKT_KERNELS_CONV_ARGS_H
#define CKT_KERNELS_CONV_ARGS_H

#ifdef __HIPCC_RTC__
#define CKT_U32 unsigned int
#define CKT_I32 int
#define CKT_U64 unsigned long long
#else
#include <stdint.h>
#define CKT_U32 uint32_t
#define CKT_I32 int32_t
#define CKT_U64 uint64_t
#endif

/* Division of a 32-bit n by a constant d without a division: (mulhi(n, multiplier) + n) >> shift, for n <
 * 2^31. */
struct ckt_magic {
  CKT_U32 divisor, multiplier, shift;
};

struct ckt_conv_args {
  CKT_U64 in; /* device addresses */
  CKT_U64 wei;
  CKT_U64 out;
};

#endif
