// The weight as a GEMM operand: row n is an output channel, its (z, y, x, c) lie one after the other.
#pragma once

#include "buffer.hpp"
#include "conv_args.h"
#include "types.hpp"

namespace ckt {

template <class I> struct weight_walk {
  u32 k;
  __device__ void start(const ckt_conv_args &, u32 first) { k = first; }
  __device__ void advance(const ckt_conv_args &) { k += I::tile_k; }
};

// Beyond the last k there must be zeros, not the next row: times the input's zeros an infinity would give a
// NaN. Rows beyond gemm_n may read anything that exists, since what is computed from them is never stored.
template <class I> struct weight_row {
  u32 start;
  __device__ void set(const ckt_conv_args &args, u32 n) {
    start = n < args.gemm_n ? n * args.wei_tensor.row : nowhere;
  }
  __device__ u32 offset(const ckt_conv_args &args, const weight_walk<I> &walk) const {
    return start + (walk.k < args.gemm_k ? walk.k * element<I::type>::bytes : nowhere);
  }
};

} // namespace ckt
