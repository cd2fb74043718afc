// From accumulators to the output tensor.
//
// A lane's results lie scattered over the tile, so they go through LDS: strips of the tile are written there in
// the output's type, then read back in rows and stored with vectors of vector_c by neighbouring threads. A strip
// is one matrix-core tile of every wave along M and as many along N as the main loop's LDS holds (lds_layout.h).
#pragma once

#include "block_gemm.hpp"
#include "buffer.hpp"
#include "conv_args.h"
#include "lds.hpp"
#include "tile_loader.hpp"
#include "types.hpp"

namespace ckt {

// Where the workgroup's tile stands in the GEMM.
struct tile_origin {
  u32 m, n;
};

template <class I, int strip_repeats> struct epilogue {
  using shape = block_shape<I>;
  using core = typename shape::core;
  static constexpr int element_bytes = element<I::type>::bytes;
  static constexpr int strip_n = shape::strip_n * strip_repeats;
  static constexpr int strips_n = shape::repeat_n / strip_repeats;
  static_assert(strip_n % I::vector_c == 0, "vector_c divides the rows of the output tile");

  using strip = lds_tile<shape::strip_m, strip_n * element_bytes, 16>;
  static constexpr int vector_bytes = I::vector_c * element_bytes;
  static constexpr int store_bytes = min_of(vector_bytes, 16);
  static constexpr int stores = vector_bytes / store_bytes;
  using map = tile_map<shape::strip_m, strip_n / I::vector_c, I::block_size>;

  static __device__ void run(const block_gemm<I> &gemm, const ckt_conv_args &args, const resource &out,
                             u32 thread, tile_origin origin, char *lds) {
#pragma unroll
    for (int i = 0; i < shape::repeat_m; ++i)
#pragma unroll
      for (int j = 0; j < strips_n; ++j) {
        workgroup_barrier<I::block_size>(); // the last readers of these bytes are done
        write_strip(gemm, i, j * strip_repeats, lds);
        workgroup_barrier<I::block_size>();
        const tile_origin at = {origin.m + (u32)(i * shape::strip_m), origin.n + (u32)(j * strip_n)};
        store_strip(args, out, thread, at, lds);
      }
  }

private:
  static __device__ void write_strip(const block_gemm<I> &gemm, int i, int first_j, char *lds) {
    constexpr int quad_bytes = 4 * element_bytes;
    const u32 row = gemm.wave_m * core::rows + core::lane_row(gemm.lane);
#pragma unroll
    for (int j = 0; j < strip_repeats; ++j)
#pragma unroll
      for (int quad = 0; quad < core::quads; ++quad) {
        typename element<I::type>::store rounded[4];
#pragma unroll
        for (int e = 0; e < 4; ++e)
          rounded[e] = element<I::type>::round(gemm.sum[i][first_j + j][quad * 4 + e]);
        bits_t<quad_bytes> value;
        __builtin_memcpy(&value, rounded, sizeof value);
        const u32 column = (u32)(j * I::warps_n * core::rows) + gemm.wave_n * core::rows +
                           core::quad_channel(gemm.lane, quad);
        lds_write<quad_bytes>(lds + strip::offset(row, column * element_bytes), value);
      }
  }

  static __device__ void store_strip(const ckt_conv_args &args, const resource &out, u32 thread,
                                     tile_origin at, const char *lds) {
#pragma unroll
    for (int i = 0; i < map::count; ++i) {
      const u32 row = map::row(thread, i);
      const u32 column = map::vector(thread, i) * I::vector_c;
      const bool valid = at.m + row < args.gemm_m && at.n + column < args.gemm_n;
      const u32 offset = (at.m + row) * args.out_tensor.row + (at.n + column) * element_bytes;
      if (map::present(thread, i)) {
#pragma unroll
        for (int j = 0; j < stores; ++j) {
          const u32 byte = column * element_bytes + (u32)(j * store_bytes);
          const auto value = lds_read<store_bytes>(lds + strip::offset(row, byte));
          buffer_store<store_bytes>(value, out, (valid ? offset : nowhere) + (u32)(j * store_bytes));
        }
      }
    }
  }
};

} // namespace ckt
