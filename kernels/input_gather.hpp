// The im2col view of the input: GEMM row m is the output pixel (n, do, ho, wo), GEMM k is (z, y, x, c), and
// element (m, k) is an input pixel's channel, or nothing where the filter hangs over the edge.
//
// An offset is the sum of a part that belongs to the row (input_row, worked out once) and one that belongs to
// k (input_walk, advanced by one tile_k a step without a multiplication). Whether the element exists depends
// on both. Each specialization drops the work that its problems cannot need:
//   general                  checks every axis for every vector
//   filter_3x3               one bit a tap and row, worked out once; the filter's extents are constants
//   filter_1x1_pad0          no filter position, no checks; rows still stride
//   filter_1x1_stride1_pad0  a plain matrix: row m is pixel m
#pragma once

#include "buffer.hpp"
#include "conv_args.h"
#include "magic.hpp"
#include "types.hpp"

namespace ckt {

enum { depth, height, width, axes };

// Larger than every extent, small enough that sums with it stay positive.
constexpr i32 far_outside = 0x40000000;

template <class I> constexpr int first_axis = axes - I::spatial;

constexpr bool is_1x1(specialization spec) {
  return spec == specialization::filter_1x1_pad0 || spec == specialization::filter_1x1_stride1_pad0;
}

// The filter's upper left corner in the input, for GEMM row m; may lie in the padding.
struct corner {
  u32 offset; // modulo 2^32; right again once a valid tap is added
  i32 at[axes];
};

template <class I> __device__ inline corner corner_of(const ckt_conv_args &args, u32 m) {
  corner result;
  i32 out[axes];
  out[width] = (i32)m; // digits are split off from the right: m = ((n * Do + do) * Ho + ho) * Wo + wo
  u32 rest = divide_off((u32 &)out[width], args.out_w);
  out[height] = (i32)rest;
  rest = divide_off((u32 &)out[height], args.out_h);
  if constexpr (I::spatial == 3) {
    out[depth] = (i32)rest;
    rest = divide_off((u32 &)out[depth], args.out_d);
  }
  result.offset = rest * args.in_batch;
#pragma unroll
  for (int axis = first_axis<I>; axis < axes; ++axis) {
    result.at[axis] = out[axis] * args.stride[axis] - args.pad[axis];
    result.offset += (u32)result.at[axis] * (u32)args.in_stride[axis];
  }
  return result;
}

// ---- k: filter position and channel, advanced together ----

template <class I, specialization spec = I::spec> struct input_walk;

// Positions are kept in taps times `unit`: dilated pixels (general), or taps (3x3).
template <class I, bool dilated> struct filter_walk {
  i32 c;
  i32 at[axes];
  u32 offset;

  static __device__ i32 unit(const ckt_conv_args &args, int axis) {
    return dilated ? args.walk.dilation[axis] : 1;
  }
  static __device__ i32 extent(const ckt_conv_args &args, int axis) {
    return dilated ? args.walk.filter[axis] * args.walk.dilation[axis] : 3;
  }

  __device__ void start(const ckt_conv_args &args, u32 k) {
    u32 rest = k;
    u32 tap = divide_off(rest, args.walk.c);
    c = (i32)rest;
    offset = rest * element<I::type>::bytes;
    u32 upper = divide_off(tap, args.walk.x);
    place(args, width, tap);
    if constexpr (I::spatial == 3) {
      tap = upper;
      upper = divide_off(tap, args.walk.y);
      place(args, height, tap);
    }
    place(args, first_axis<I>, upper);
  }

  __device__ void place(const ckt_conv_args &args, int axis, u32 tap) {
    at[axis] = (i32)tap * unit(args, axis);
    offset += tap * (u32)args.walk.dilation[axis] * (u32)args.in_stride[axis];
  }

  __device__ void advance(const ckt_conv_args &args) {
    c += args.walk.step_c;
    bool carry = c >= args.channels;
    c -= carry ? args.channels : 0;
    offset += (u32)args.walk.step_bytes + (carry ? (u32)args.walk.carry_bytes[width] : 0u);
#pragma unroll
    for (int axis = width; axis >= first_axis<I>; --axis) {
      at[axis] += args.walk.step_tap[axis] * unit(args, axis) + (carry ? unit(args, axis) : 0);
      if (axis == first_axis<I>)
        break; // the outermost position runs beyond the filter when k ends
      carry = at[axis] >= extent(args, axis);
      at[axis] -= carry ? extent(args, axis) : 0;
      offset += carry ? (u32)args.walk.carry_bytes[axis - 1] : 0u;
    }
  }
};

template <class I> struct input_walk<I, specialization::general> : filter_walk<I, true> {};

template <class I> struct input_walk<I, specialization::filter_3x3> : filter_walk<I, false> {
  __device__ u32 tap() const { // >= 9 (27 in 3D) beyond the end of k
    u32 index = (u32)this->at[first_axis<I>];
#pragma unroll
    for (int axis = first_axis<I> + 1; axis < axes; ++axis)
      index = index * 3 + (u32)this->at[axis];
    return index;
  }
};

template <class I> struct channel_walk {
  i32 c;
  __device__ void start(const ckt_conv_args &, u32 k) { c = (i32)k; }
  __device__ void advance(const ckt_conv_args &) { c += I::tile_k; }
};
template <class I> struct input_walk<I, specialization::filter_1x1_pad0> : channel_walk<I> {};
template <class I> struct input_walk<I, specialization::filter_1x1_stride1_pad0> : channel_walk<I> {};

// ---- rows ----

template <class I, specialization spec = I::spec> struct input_row;

template <class I> struct input_row<I, specialization::general> {
  corner start;

  __device__ void set(const ckt_conv_args &args, u32 m) {
    start = corner_of<I>(args, m);
    start.at[width] = m < args.gemm_m ? start.at[width] : far_outside;
  }

  __device__ u32 offset(const ckt_conv_args &args, const input_walk<I> &walk) const {
    constexpr int outer = first_axis<I>;
    bool valid = walk.at[outer] < walk.extent(args, outer);
#pragma unroll
    for (int axis = outer; axis < axes; ++axis)
      valid &= (u32)(start.at[axis] + walk.at[axis]) < (u32)args.in_extent[axis];
    return valid ? start.offset + walk.offset : nowhere;
  }
};

template <class I> struct input_row<I, specialization::filter_3x3> {
  u32 start;
  u32 taps; // bit of each tap that falls inside the input

  __device__ void set(const ckt_conv_args &args, u32 m) {
    const corner at = corner_of<I>(args, m);
    start = at.offset;
    taps = m < args.gemm_m ? 1u : 0u;
#pragma unroll
    for (int axis = width; axis >= first_axis<I>; --axis) {
      constexpr int taps_below[axes] = {9, 3, 1};
      u32 sum = 0;
#pragma unroll
      for (int tap = 0; tap < 3; ++tap) {
        const u32 pixel = (u32)(at.at[axis] + tap * args.walk.dilation[axis]);
        sum |= pixel < (u32)args.in_extent[axis] ? taps << (tap * taps_below[axis]) : 0u;
      }
      taps = sum;
    }
  }

  __device__ u32 offset(const ckt_conv_args &, const input_walk<I> &walk) const {
    // A shift by 32 or more would wrap around; k's tail reaches at most far beyond the filter.
    const u32 tap = walk.tap();
    return tap < 32 && (taps >> tap & 1u) != 0 ? start + walk.offset : nowhere;
  }
};

// Rows beyond gemm_m need no check of their own: both summands at `nowhere` may wrap around to an offset that
// exists, but what is computed from such a row is never stored.
template <class I> struct plain_row {
  u32 start;
  __device__ u32 offset(const ckt_conv_args &args, const input_walk<I> &walk) const {
    return start + (walk.c < args.channels ? (u32)walk.c * element<I::type>::bytes : nowhere);
  }
};

template <class I> struct input_row<I, specialization::filter_1x1_pad0> : plain_row<I> {
  __device__ void set(const ckt_conv_args &args, u32 m) {
    this->start = m < args.gemm_m ? corner_of<I>(args, m).offset : nowhere;
  }
};

template <class I> struct input_row<I, specialization::filter_1x1_stride1_pad0> : plain_row<I> {
  __device__ void set(const ckt_conv_args &args, u32 m) {
    this->start = m < args.gemm_m ? m * args.in_tensor.row : nowhere;
  }
};

} // namespace ckt
