// Words of an instance and the element types. Includes nothing: hipRTC 5.2 has no standard headers.
#pragma once

namespace ckt {

enum class dtype { fp32, fp16, bf16 };
enum class specialization { general, filter_1x1_pad0, filter_1x1_stride1_pad0, filter_3x3 };
enum class pipeline { v1, v2, v3, v4, v5, v6, async_v1, async_v4, wavelet };
enum class scheduler { intrawave, interwave };

constexpr int wave_size = 64;

using u8 = unsigned char;
using u16 = unsigned short;
using u32 = unsigned int;
using u64 = unsigned long long;
using i32 = int;

template <class T, int n> struct vector_of { typedef T type __attribute__((ext_vector_type(n))); };
template <class T, int n> using vec = typename vector_of<T, n>::type;

// Raw bits of a run of elements that moves as one. 32 bytes are moved as two halves of 16.
template <int bytes> struct bits;
template <> struct bits<2> { using type = u16; };
template <> struct bits<4> { using type = u32; };
template <> struct bits<8> { using type = vec<u32, 2>; };
template <> struct bits<16> { using type = vec<u32, 4>; };
template <int bytes> using bits_t = typename bits<bytes>::type;

// Bytes of one element, and its rounding from the fp32 accumulator (to nearest, ties to even).
template <dtype t> struct element;

template <> struct element<dtype::fp32> {
  static constexpr int bytes = 4;
  using store = u32;
  static __device__ u32 round(float value) { return __builtin_bit_cast(u32, value); }
};

template <> struct element<dtype::fp16> {
  static constexpr int bytes = 2;
  using store = u16;
  static __device__ u16 round(float value) { return __builtin_bit_cast(u16, (_Float16)value); }
};

template <> struct element<dtype::bf16> {
  static constexpr int bytes = 2;
  using store = u16;
  // Adding half of the last place carries into it; a NaN is kept one instead of being carried into infinity.
  static __device__ u16 round(float value) {
    const u32 word = __builtin_bit_cast(u32, value);
    const u32 rounded = (word + 0x7fffu + ((word >> 16) & 1u)) >> 16;
    return (u16)(value == value ? rounded : (word >> 16) | 0x40u);
  }
};

constexpr int min_of(int a, int b) {
  return a < b ? a : b;
}
constexpr int ceil_div(int a, int b) {
  return (a + b - 1) / b;
}

} // namespace ckt
