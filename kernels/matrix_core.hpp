// One matrix-core tile of a wave: warp_tile_m x warp_tile_n of the output, warp_tile_k deep.
//
// Operands (AMD matrix instruction calculator, V_MFMA_F32_32X32X8_F16 and kin): the lanes of a wave stand in
// 64 / rows columns of `rows` lanes; lane l holds row l % rows and a run of k that starts at (l / rows) * run.
// A wave that takes more k at once (warp_tile_k above the instruction's own) gets a longer run for each lane and
// feeds it to several instructions: the order of k within a dot product is free if both operands have the same.
//
// The weight is the first operand and the input the second, so the result is transposed: lane l holds pixel
// (GEMM row) l % rows, and in consecutive registers consecutive output channels, four at a time:
// register i is channel 4 * (64 / rows) * (i / 4) + 4 * (l / rows) + i % 4.
#pragma once

#include "types.hpp"

namespace ckt {

using short2v = vec<short, 2>;
using short4v = vec<short, 4>;
using half4v = vec<_Float16, 4>;

// One instruction: elements of k that a lane gives to it, the operand's type, and the call.
template <dtype type, int rows> struct mfma;

template <> struct mfma<dtype::fp32, 32> {
  static constexpr int lane_k = 1;
  using operand = float;
  static __device__ vec<float, 16> call(operand a, operand b, vec<float, 16> c) {
    return __builtin_amdgcn_mfma_f32_32x32x2f32(a, b, c, 0, 0, 0);
  }
};

template <> struct mfma<dtype::fp32, 16> {
  static constexpr int lane_k = 1;
  using operand = float;
  static __device__ vec<float, 4> call(operand a, operand b, vec<float, 4> c) {
    return __builtin_amdgcn_mfma_f32_16x16x4f32(a, b, c, 0, 0, 0);
  }
};

template <> struct mfma<dtype::fp16, 32> {
  static constexpr int lane_k = 4;
  using operand = half4v;
  static __device__ vec<float, 16> call(operand a, operand b, vec<float, 16> c) {
    return __builtin_amdgcn_mfma_f32_32x32x8f16(a, b, c, 0, 0, 0);
  }
};

template <> struct mfma<dtype::fp16, 16> {
  static constexpr int lane_k = 4;
  using operand = half4v;
  static __device__ vec<float, 4> call(operand a, operand b, vec<float, 4> c) {
    return __builtin_amdgcn_mfma_f32_16x16x16f16(a, b, c, 0, 0, 0);
  }
};

#ifdef __gfx908__ // bf16 of the first generation: two elements a lane
template <> struct mfma<dtype::bf16, 32> {
  static constexpr int lane_k = 2;
  using operand = short2v;
  static __device__ vec<float, 16> call(operand a, operand b, vec<float, 16> c) {
    return __builtin_amdgcn_mfma_f32_32x32x4bf16(a, b, c, 0, 0, 0);
  }
};

template <> struct mfma<dtype::bf16, 16> {
  static constexpr int lane_k = 2;
  using operand = short2v;
  static __device__ vec<float, 4> call(operand a, operand b, vec<float, 4> c) {
    return __builtin_amdgcn_mfma_f32_16x16x8bf16(a, b, c, 0, 0, 0);
  }
};
#else
template <> struct mfma<dtype::bf16, 32> {
  static constexpr int lane_k = 4;
  using operand = short4v;
  static __device__ vec<float, 16> call(operand a, operand b, vec<float, 16> c) {
    return __builtin_amdgcn_mfma_f32_32x32x8bf16_1k(a, b, c, 0, 0, 0);
  }
};

template <> struct mfma<dtype::bf16, 16> {
  static constexpr int lane_k = 4;
  using operand = short4v;
  static __device__ vec<float, 4> call(operand a, operand b, vec<float, 4> c) {
    return __builtin_amdgcn_mfma_f32_16x16x16bf16_1k(a, b, c, 0, 0, 0);
  }
};
#endif

template <class I> struct matrix_core {
  static_assert(I::warp_tile_m == I::warp_tile_n, "a matrix-core tile is square");
  static_assert(I::warp_tile_m == 32 || I::warp_tile_m == 16, "a matrix-core tile is 32x32 or 16x16");

  static constexpr int rows = I::warp_tile_m;
  using instruction = mfma<I::type, rows>;
  static constexpr int columns = wave_size / rows;     // groups of lanes along k
  static constexpr int run = I::warp_tile_k / columns; // elements of k a lane holds
  static constexpr int calls = run / instruction::lane_k;
  static constexpr int registers = rows * rows / wave_size;
  static_assert(calls * instruction::lane_k * columns == I::warp_tile_k && calls > 0,
                "warp_tile_k is a multiple of the matrix instruction's own k");

  using accumulator = vec<float, registers>;

  // What a lane holds of one operand, as it comes from LDS.
  struct fragment {
    typename instruction::operand part[calls];
  };
  static constexpr int fragment_bytes = run * element<I::type>::bytes;

  static __device__ void multiply(accumulator &sum, const fragment &weight, const fragment &input) {
#pragma unroll
    for (int i = 0; i < calls; ++i)
      sum = instruction::call(weight.part[i], input.part[i], sum);
  }

  // Where a lane stands: its row in both operands and the start of its run of k.
  static __device__ u32 lane_row(u32 lane) {
    return lane % rows;
  }
  static __device__ u32 lane_k(u32 lane) {
    return lane / rows * run;
  }

  // Results come in quads of consecutive channels.
  static constexpr int quads = registers / 4;
  static __device__ u32 quad_channel(u32 lane, int quad) {
    return (u32)(quad * 4 * columns) + lane / rows * 4;
  }
};

} // namespace ckt
