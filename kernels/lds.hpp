// Access to LDS: pieces of 2 to 16 bytes, the workgroup's barrier, and a tile of GEMM rows in LDS.
#pragma once

#include "lds_layout.h"
#include "types.hpp"

namespace ckt {

template <int bytes> __device__ inline bits_t<bytes> lds_read(const char *at) {
  bits_t<bytes> value;
  __builtin_memcpy(&value, __builtin_assume_aligned(at, bytes), bytes);
  return value;
}

template <int bytes> __device__ inline void lds_write(char *at, bits_t<bytes> value) {
  __builtin_memcpy(__builtin_assume_aligned(at, bytes), &value, bytes);
}

// Every wave has arrived and its LDS accesses are done. Written as one piece of assembly because global loads
// have to stay in flight: a workgroup fence waits for them on gfx90a, and so does the compiler's barrier on
// gfx908. The accesses of a workgroup of one wave happen in program order, which the compiler has to keep.
template <int threads> __device__ inline void workgroup_barrier() {
  __builtin_amdgcn_sched_barrier(0);
  if constexpr (threads > wave_size)
    asm volatile("s_waitcnt lgkmcnt(0)\n\ts_barrier" ::: "memory");
  else
    asm volatile("" ::: "memory");
}

// Waves meet, without waiting for anything.
template <int threads> __device__ inline void meeting_point() {
  if constexpr (threads > wave_size)
    asm volatile("s_barrier");
}

// The tile of one operand: `rows` rows of `row_bytes`, permuted by ckt_lds_swizzle with granules as wide as
// one read of a lane. Nothing crosses a granule, so that a piece is contiguous wherever it goes.
template <int rows_, int row_bytes_, int read_bytes> struct lds_tile {
  static constexpr int rows = rows_;
  static constexpr int row_bytes = row_bytes_;
  static constexpr int bytes = rows * row_bytes;
  static constexpr int granule = read_bytes <= 8 ? 8 : 16;
  static constexpr int piece(int bytes) { return min_of(bytes, granule); }

  static __device__ u32 swizzle(u32 row) { return ckt_lds_swizzle(row, row_bytes, granule); }
  static __device__ u32 offset(u32 row, u32 byte) { return row * row_bytes + (byte ^ swizzle(row)); }
};

} // namespace ckt
