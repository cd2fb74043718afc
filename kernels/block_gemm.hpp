// The workgroup's product of one LDS tile of A and one of B, and its accumulators.
//
// Waves stand in a grid of warps_m x warps_n. Wave (wm, wn) owns the matrix-core tiles
// (i * warps_m + wm, j * warps_n + wn): neighbouring waves have neighbouring tiles, and a strip of the output
// that all waves have a share in is contiguous.
#pragma once

#include "lds.hpp"
#include "matrix_core.hpp"
#include "types.hpp"

namespace ckt {

template <class I> struct block_shape {
  using core = matrix_core<I>;
  static constexpr int strip_m = I::warps_m * I::warp_tile_m; // rows that one tile of every wave covers
  static constexpr int strip_n = I::warps_n * I::warp_tile_n;
  static constexpr int repeat_m = I::tile_m / strip_m; // matrix-core tiles of a wave
  static constexpr int repeat_n = I::tile_n / strip_n;
  static constexpr int k_steps = I::tile_k / I::warp_tile_k;
  static_assert(repeat_m * strip_m == I::tile_m && repeat_m > 0, "waves divide tile_m");
  static_assert(repeat_n * strip_n == I::tile_n && repeat_n > 0, "waves divide tile_n");
  static_assert(k_steps * I::warp_tile_k == I::tile_k && k_steps > 0, "warp_tile_k divides tile_k");

  static constexpr int row_bytes = I::tile_k * element<I::type>::bytes;
  using tile_a = lds_tile<I::tile_m, row_bytes, core::fragment_bytes>;
  using tile_b = lds_tile<I::tile_n, row_bytes, core::fragment_bytes>;
};

template <class I> struct block_gemm {
  using shape = block_shape<I>;
  using core = typename shape::core;
  using fragment = typename core::fragment;

  u32 lane, wave_m, wave_n;
  typename core::accumulator sum[shape::repeat_m][shape::repeat_n];

  __device__ explicit block_gemm(u32 thread) : lane(thread % wave_size) {
    const u32 wave = (u32)__builtin_amdgcn_readfirstlane((i32)(thread / wave_size));
    wave_m = wave % I::warps_m;
    wave_n = wave / I::warps_m;
#pragma unroll
    for (int i = 0; i < shape::repeat_m; ++i)
#pragma unroll
      for (int j = 0; j < shape::repeat_n; ++j)
        sum[i][j] = 0.0f;
  }

  // What a wave needs of both tiles for one step of warp_tile_k.
  struct fragments {
    fragment a[shape::repeat_m], b[shape::repeat_n];
  };

  __device__ void read(fragments &to, const char *a, const char *b, int k_step) const {
    read_rows<typename shape::tile_a, shape::repeat_m>(to.a, a, wave_m, shape::strip_m, k_step);
    read_rows<typename shape::tile_b, shape::repeat_n>(to.b, b, wave_n, shape::strip_n, k_step);
  }

  __device__ void multiply(const fragments &from) {
#pragma unroll
    for (int i = 0; i < shape::repeat_m; ++i)
#pragma unroll
      for (int j = 0; j < shape::repeat_n; ++j)
        core::multiply(sum[i][j], from.b[j], from.a[i]);
  }

private:
  template <class Tile, int repeats>
  __device__ void read_rows(fragment (&to)[repeats], const char *lds, u32 wave, int strip, int k_step) const {
    constexpr int piece = Tile::piece(core::fragment_bytes);
    constexpr int pieces = core::fragment_bytes / piece;
    // The swizzle of a row repeats well within a matrix-core tile, so tiles differ by a constant.
    static_assert(CKT_LDS_BANK_BYTES / Tile::granule <= core::rows, "one swizzle for all tiles of a wave");
    const u32 row = wave * core::rows + core::lane_row(lane);
    const u32 byte = (u32)(k_step * I::warp_tile_k + core::lane_k(lane)) * element<I::type>::bytes;
#pragma unroll
    for (int i = 0; i < repeats; ++i) {
      bits_t<piece> value[pieces];
#pragma unroll
      for (int j = 0; j < pieces; ++j)
        value[j] =
            lds_read<piece>(lds + i * strip * Tile::row_bytes + Tile::offset(row, byte + (u32)(j * piece)));
      __builtin_memcpy(&to[i], value, sizeof to[i]);
    }
  }
};

} // namespace ckt
