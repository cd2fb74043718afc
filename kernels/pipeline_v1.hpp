// Pipeline v1: one LDS buffer; the next tile's global loads are in flight while this tile is multiplied.
//
// The scheduler decides how a tile is multiplied:
//   intrawave  all steps of warp_tile_k are one block of code, in which the compiler mixes the LDS reads of
//              later steps with the matrix instructions of earlier ones: a wave hides its own latency.
//   interwave  the k of the tile is cut into clusters. A wave first reads all operands of a cluster, then
//              meets the others at a barrier, then multiplies without a break at raised priority. While it
//              does, waves of another workgroup on the same SIMD read and load: waves hide each other's
//              latency. The compiler may not move anything across the fences between the phases.
#pragma once

#include "block_gemm.hpp"
#include "lds.hpp"
#include "types.hpp"

namespace ckt {

template <class I, scheduler sched = I::sched> struct multiply_tile;

template <class I> struct multiply_tile<I, scheduler::intrawave> {
  static __device__ void run(block_gemm<I> &gemm, const char *a, const char *b) {
    constexpr int steps = block_shape<I>::k_steps;
    typename block_gemm<I>::fragments operands[2]; // of this step and of the next
    gemm.read(operands[0], a, b, 0);
#pragma unroll
    for (int k = 0; k < steps; ++k) {
      if (k + 1 < steps)
        gemm.read(operands[(k + 1) % 2], a, b, k + 1);
      // Or the compiler moves the reads behind the products, to save registers. Mask 0: with any other, the
      // scheduler of clang 15 uses freed memory.
      __builtin_amdgcn_sched_barrier(0);
      gemm.multiply(operands[k % 2]);
    }
  }
};

template <class I> struct multiply_tile<I, scheduler::interwave> {
  // Two clusters a tile, or one when the steps cannot be halved: phases alternate, and barriers stay cheap.
  static constexpr int steps = block_shape<I>::k_steps;
  static constexpr int clusters = steps % 2 == 0 ? 2 : 1;
  static constexpr int cluster_steps = steps / clusters;

  static __device__ void run(block_gemm<I> &gemm, const char *a, const char *b) {
#pragma unroll
    for (int cluster = 0; cluster < clusters; ++cluster) {
      typename block_gemm<I>::fragments operands[cluster_steps];
#pragma unroll
      for (int k = 0; k < cluster_steps; ++k)
        gemm.read(operands[k], a, b, cluster * cluster_steps + k);
      __builtin_amdgcn_sched_barrier(0);
      meeting_point<I::block_size>();
      __builtin_amdgcn_sched_barrier(0);
      __builtin_amdgcn_s_setprio(1);
#pragma unroll
      for (int k = 0; k < cluster_steps; ++k)
        gemm.multiply(operands[k]);
      __builtin_amdgcn_sched_barrier(0);
      __builtin_amdgcn_s_setprio(0);
    }
  }
};

template <class I, pipeline pipe> struct main_loop {
  static_assert(pipe == pipeline::v1, "this pipeline is not there; only v1 is");
};

template <class I> struct main_loop<I, pipeline::v1> {
  template <class LoaderA, class LoaderB>
  static __device__ void run(LoaderA &a, LoaderB &b, block_gemm<I> &gemm, char *lds, u32 k_steps) {
    char *const lds_a = lds;
    char *const lds_b = lds + block_shape<I>::tile_a::bytes;
    a.fetch();
    b.fetch();
    a.store(lds_a);
    b.store(lds_b);
    for (u32 step = 1; step < k_steps; ++step) {
      a.advance();
      b.advance();
      a.fetch();
      b.fetch();
      workgroup_barrier<I::block_size>();
      multiply_tile<I>::run(gemm, lds_a, lds_b);
      workgroup_barrier<I::block_size>();
      a.store(lds_a);
      b.store(lds_b);
    }
    workgroup_barrier<I::block_size>();
    multiply_tile<I>::run(gemm, lds_a, lds_b);
  }
};

} // namespace ckt
