/* The argument of every convolution kernel, shared by host and device: plain C, compiled by both, so nothing
 * is included but what hipRTC knows without headers.
 *
 * bench/conv_launch.c fills it. Offsets and strides are in bytes and fit 31 bits: a tensor is smaller than
 * 2 GiB. Arrays over axes are in the order depth, height, width; 2D kernels do not read depth. */
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

/* Division of n < 2^31 by a constant d without a division: (mulhi(n, multiplier) + n) >> shift.
 * (Granlund and Montgomery, "Division by Invariant Integers using Multiplication", figure 4.1.) */
struct ckt_magic {
  CKT_U32 divisor, multiplier, shift;
};

/* One tensor as a GEMM operand: group g starts g * group bytes behind the address. */
struct ckt_conv_tensor {
  CKT_U32 bytes; /* of the whole tensor */
  CKT_U32 group; /* from one group to the next */
  CKT_U32 row;   /* input: from one pixel to the next; weight: one output channel; output: one pixel */
};

/* The walk along the GEMM's K = (z, y, x, c), c fastest. A step of one tile_k is step_tap taps and step_c
 * channels, and moves the input offset by step_bytes; a carry into the next digit corrects the offset by
 * carry_bytes. */
struct ckt_conv_walk {
  CKT_I32 dilation[3];
  CKT_I32 filter[3]; /* taps: Z, Y, X */
  CKT_I32 step_tap[3];
  CKT_I32 step_c;
  CKT_I32 step_bytes;
  CKT_I32 carry_bytes[3];   /* [width]: c into x; [height]: x into y; [depth]: y into z */
  struct ckt_magic c, x, y; /* divisors: C, X, Y; for a thread's first position */
};

struct ckt_conv_args {
  CKT_U64 in; /* device addresses */
  CKT_U64 wei;
  CKT_U64 out;
  struct ckt_conv_tensor in_tensor, wei_tensor, out_tensor;
  CKT_U32 gemm_m, gemm_n, gemm_k;       /* of one group */
  CKT_U32 k_steps;                      /* tiles along K: ceil(gemm_k / tile_k) */
  struct ckt_magic tiles_n;             /* workgroup -> tile: divisor ceil(gemm_n / tile_n) */
  struct ckt_magic out_d, out_h, out_w; /* m -> (n, do, ho, wo): divisors Do, Ho, Wo */
  CKT_I32 channels;                     /* C of one group */
  CKT_I32 in_extent[3];
  CKT_I32 in_stride[3]; /* bytes from one input pixel to the next along the axis */
  CKT_U32 in_batch;     /* bytes from one image to the next */
  CKT_I32 stride[3];    /* of the convolution, in pixels */
  CKT_I32 pad[3];       /* left pads, in pixels */
  struct ckt_conv_walk walk;
};

#endif
