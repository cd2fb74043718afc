// Forward grouped convolution as an implicit GEMM: M = output pixels, N = output channels of a group,
// K = filter taps times input channels of a group. A workgroup computes one tile of M x N of one group.
#pragma once

#include "block_gemm.hpp"
#include "buffer.hpp"
#include "conv_args.h"
#include "epilogue.hpp"
#include "input_gather.hpp"
#include "lds_layout.h"
#include "magic.hpp"
#include "pipeline_v1.hpp"
#include "tile_loader.hpp"
#include "types.hpp"
#include "weight_rows.hpp"

namespace ckt {

// What this kernel cannot honour is refused, never ignored.
template <class I> struct forward_contract {
  static_assert(I::spatial == 2, "the forward kernel is 2D");
  static_assert(I::warps_k == 1, "waves along K are not built");
  static_assert(I::block_size == I::warps_m * I::warps_n * I::warps_k * wave_size, "a thread for every lane");
  static_assert(!I::double_smem_buffer, "a double LDS buffer belongs to another pipeline");
  static_assert(I::num_wave_groups == 1, "wave groups are not built");
  static_assert(I::num_groups_to_merge == 1, "merged groups are not built");
  static_assert(!I::split_image, "split image is not built");
  static_assert(!I::explicit_gemm, "explicit GEMM is not built");
  static_assert(!I::two_stage, "two stages are not built");
  static_assert(I::split_k == 1, "split K is not built");
  static constexpr bool honoured = true;
};

template <class I>
constexpr ckt_lds_shape lds_shape = {I::tile_m,  I::tile_n,      I::tile_k,      I::warps_m,
                                     I::warps_n, I::warp_tile_m, I::warp_tile_n, element<I::type>::bytes,
                                     1};

__device__ inline resource group_of(u64 address, const ckt_conv_tensor &tensor, u32 group) {
  const u32 skipped = group * tensor.group;
  return make_resource(address + skipped, tensor.bytes - skipped);
}

template <class I> __device__ inline void conv_forward(const ckt_conv_args &args) {
  static_assert(forward_contract<I>::honoured);
  using shape = block_shape<I>;
  using loader_a = tile_loader<I, typename shape::tile_a, I::vector_a, input_row<I>, input_walk<I>>;
  using loader_b = tile_loader<I, typename shape::tile_b, I::vector_b, weight_row<I>, weight_walk<I>>;

  __attribute__((shared, aligned(16))) static char lds[ckt_lds_bytes(lds_shape<I>)];

  const u32 thread = (u32)__builtin_amdgcn_workitem_id_x();
  const u32 group = (u32)__builtin_amdgcn_workgroup_id_y();
  u32 tile_n = (u32)__builtin_amdgcn_workgroup_id_x(); // tiles along N come first: they share input rows
  const u32 tile_m = divide_off(tile_n, args.tiles_n);
  const tile_origin origin = {tile_m * I::tile_m, tile_n * I::tile_n};

  loader_a a(args, group_of(args.in, args.in_tensor, group), thread, origin.m);
  loader_b b(args, group_of(args.wei, args.wei_tensor, group), thread, origin.n);
  block_gemm<I> gemm(thread);
  main_loop<I, I::pipe>::run(a, b, gemm, lds, args.k_steps);
  epilogue<I, (int)ckt_lds_strip_repeats(lds_shape<I>)>::run(
      gemm, args, group_of(args.out, args.out_tensor, group), thread, origin, lds);
}

} // namespace ckt
