// Brings one operand's tile from global memory to LDS, through registers: fetch() starts the loads, store()
// waits for them and writes LDS, advance() moves to the next tile along k.
//
// The tile is rows x (tile_k / vector) vectors, numbered along k first; thread t takes vectors t, t + threads,
// and so on. So neighbouring threads read neighbouring bytes of a row, and two halves of one LDS word are always
// written by one wave. Where the division is even, a thread's vectors share one k (or one row), whose state is
// kept once.
#pragma once

#include "buffer.hpp"
#include "conv_args.h"
#include "lds.hpp"
#include "types.hpp"

namespace ckt {

template <int rows, int row_vectors, int threads> struct tile_map {
  static constexpr int total = rows * row_vectors;
  static constexpr int count = ceil_div(total, threads); // vectors a thread has
  static constexpr bool even = total % threads == 0;

  static constexpr bool same_k = threads % row_vectors == 0;
  static constexpr bool same_rows = row_vectors % threads == 0;
  static constexpr int vectors_in_row = same_rows ? row_vectors / threads : 1;
  static constexpr int walks = same_k ? 1 : (same_rows ? vectors_in_row : count);
  static constexpr int walk(int i) { return same_k ? 0 : (same_rows ? i % vectors_in_row : i); }
  static constexpr int row_states = ceil_div(count, vectors_in_row);
  static constexpr int row_state(int i) { return i / vectors_in_row; }

  static __device__ u32 row(u32 thread, int i) { return (thread + (u32)(i * threads)) / row_vectors; }
  static __device__ u32 vector(u32 thread, int i) { return (thread + (u32)(i * threads)) % row_vectors; }
  static __device__ bool present(u32 thread, int i) {
    return (i + 1) * threads <= total || thread + (u32)(i * threads) < (u32)total;
  }
};

template <class I, class Tile, int vector, class Row, class Walk> struct tile_loader {
  static_assert(I::tile_k % vector == 0, "a vector does not cross the end of a tile row");

  static constexpr int element_bytes = element<I::type>::bytes;
  static constexpr int vector_bytes = vector * element_bytes;
  static constexpr int load_bytes = min_of(vector_bytes, 16);
  static constexpr int loads = vector_bytes / load_bytes;
  static constexpr int write_bytes = Tile::piece(load_bytes);
  static constexpr int writes = load_bytes / write_bytes;
  using map = tile_map<Tile::rows, I::tile_k / vector, I::block_size>;

  const ckt_conv_args &args;
  resource memory;
  u32 thread;
  Row rows[map::row_states];
  Walk walks[map::walks];
  bits_t<load_bytes> data[map::count][loads];

  __device__ tile_loader(const ckt_conv_args &arguments, const resource &tensor, u32 thread_index,
                         u32 first_row)
      : args(arguments), memory(tensor), thread(thread_index) {
#pragma unroll
    for (int i = 0; i < map::row_states; ++i)
      rows[i].set(args, first_row + map::row(thread, i * map::vectors_in_row));
#pragma unroll
    for (int i = 0; i < map::walks; ++i)
      walks[i].start(args, map::vector(thread, i) * vector);
  }

  __device__ void fetch() {
#pragma unroll
    for (int i = 0; i < map::count; ++i) {
      u32 offset = rows[map::row_state(i)].offset(args, walks[map::walk(i)]);
      offset = map::present(thread, i) ? offset : nowhere;
#pragma unroll
      for (int j = 0; j < loads; ++j)
        data[i][j] = buffer_load<load_bytes>(memory, offset + (u32)(j * load_bytes));
    }
  }

  __device__ void advance() {
#pragma unroll
    for (int i = 0; i < map::walks; ++i)
      walks[i].advance(args);
  }

  __device__ void store(char *lds) const {
#pragma unroll
    for (int i = 0; i < map::count; ++i)
      if (map::present(thread, i))
        write(lds, map::row(thread, i), map::vector(thread, i) * vector_bytes, data[i]);
  }

private:
  static __device__ void write(char *lds, u32 row, u32 byte, const bits_t<load_bytes> (&value)[loads]) {
    constexpr int pieces = loads * writes;
    bits_t<write_bytes> piece[pieces];
    __builtin_memcpy(piece, value, sizeof piece);
#pragma unroll
    for (int j = 0; j < pieces; ++j)
      lds_write<write_bytes>(lds + Tile::offset(row, byte + (u32)(j * write_bytes)), piece[j]);
  }
};

} // namespace ckt
