// Global memory through buffer resources: the hardware compares every offset with the resource's size, so that
// an element which is not there (padding, a tail) is an offset beyond the end: it reads 0, a store is dropped.
#pragma once

#include "types.hpp"

namespace ckt {

using resource = vec<i32, 4>;

// An offset beyond the end of every tensor (they are smaller than 2 GiB), alone and added to a valid one.
constexpr u32 nowhere = 0x80000000u;

// Words of a buffer resource: address (48 bits, stride 0 above them), size in bytes, format. A raw 32-bit
// format (DATA_FORMAT_32) is what gfx9 wants for untyped access (CDNA ISA guides, "Buffer Resource
// Descriptor").
__device__ inline resource make_resource(u64 address, u32 bytes) {
  resource words;
  words.x = (i32)(u32)address;
  words.y = (i32)((u32)(address >> 32) & 0xffffu);
  words.z = (i32)bytes;
  words.w = 0x00020000;
  return words;
}

// The intrinsics by their LLVM names: hipRTC 5.2 has no builtin for them.
__device__ u16 llvm_buffer_load_2(resource, i32 offset, i32 scalar_offset,
                                  i32 cache) __asm("llvm.amdgcn.raw.buffer.load.i16");
__device__ u32 llvm_buffer_load_4(resource, i32 offset, i32 scalar_offset,
                                  i32 cache) __asm("llvm.amdgcn.raw.buffer.load.i32");
__device__ vec<u32, 2> llvm_buffer_load_8(resource, i32 offset, i32 scalar_offset,
                                          i32 cache) __asm("llvm.amdgcn.raw.buffer.load.v2i32");
__device__ vec<u32, 4> llvm_buffer_load_16(resource, i32 offset, i32 scalar_offset,
                                           i32 cache) __asm("llvm.amdgcn.raw.buffer.load.v4i32");
__device__ void llvm_buffer_store_2(u16, resource, i32 offset, i32 scalar_offset,
                                    i32 cache) __asm("llvm.amdgcn.raw.buffer.store.i16");
__device__ void llvm_buffer_store_4(u32, resource, i32 offset, i32 scalar_offset,
                                    i32 cache) __asm("llvm.amdgcn.raw.buffer.store.i32");
__device__ void llvm_buffer_store_8(vec<u32, 2>, resource, i32 offset, i32 scalar_offset,
                                    i32 cache) __asm("llvm.amdgcn.raw.buffer.store.v2i32");
__device__ void llvm_buffer_store_16(vec<u32, 4>, resource, i32 offset, i32 scalar_offset,
                                     i32 cache) __asm("llvm.amdgcn.raw.buffer.store.v4i32");

template <int bytes> __device__ inline bits_t<bytes> buffer_load(const resource &from, u32 offset) {
  if constexpr (bytes == 2)
    return llvm_buffer_load_2(from, (i32)offset, 0, 0);
  else if constexpr (bytes == 4)
    return llvm_buffer_load_4(from, (i32)offset, 0, 0);
  else if constexpr (bytes == 8)
    return llvm_buffer_load_8(from, (i32)offset, 0, 0);
  else
    return llvm_buffer_load_16(from, (i32)offset, 0, 0);
}

template <int bytes>
__device__ inline void buffer_store(bits_t<bytes> value, const resource &to, u32 offset) {
  if constexpr (bytes == 2)
    llvm_buffer_store_2(value, to, (i32)offset, 0, 0);
  else if constexpr (bytes == 4)
    llvm_buffer_store_4(value, to, (i32)offset, 0, 0);
  else if constexpr (bytes == 8)
    llvm_buffer_store_8(value, to, (i32)offset, 0, 0);
  else
    llvm_buffer_store_16(value, to, (i32)offset, 0, 0);
}

} // namespace ckt
