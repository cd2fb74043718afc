// Kernels whose rate is published, or that differ in one thing, for test_model_time.c.
#include <hip/hip_runtime.h>

typedef float f2 __attribute__((ext_vector_type(2)));
typedef float f4 __attribute__((ext_vector_type(4)));
typedef float f16v __attribute__((ext_vector_type(16)));
typedef int i4 __attribute__((ext_vector_type(4)));
typedef int i16v __attribute__((ext_vector_type(16)));
typedef double d4 __attribute__((ext_vector_type(4)));
typedef _Float16 h4 __attribute__((ext_vector_type(4)));
typedef _Float16 h8 __attribute__((ext_vector_type(8)));
typedef short s2 __attribute__((ext_vector_type(2)));
typedef short s4 __attribute__((ext_vector_type(4)));

#if defined(__gfx950__)
typedef __bf16 b8 __attribute__((ext_vector_type(8)));
#endif

// `n` times four matrix instructions that do not depend on each other.
#define MATRIX_LOOP(name, accumulator, a_type, b_type, instruction)                                                    \
  extern "C" __global__ __launch_bounds__(256) void name(float *out, int n) {                                          \
    accumulator c0 = {}, c1 = {}, c2 = {}, c3 = {};                                                                    \
    a_type a = {};                                                                                                     \
    b_type b = {};                                                                                                     \
    for (int i = 0; i < n; ++i) {                                                                                      \
      c0 = instruction(a, b, c0, 0, 0, 0);                                                                             \
      c1 = instruction(a, b, c1, 0, 0, 0);                                                                             \
      c2 = instruction(a, b, c2, 0, 0, 0);                                                                             \
      c3 = instruction(a, b, c3, 0, 0, 0);                                                                             \
    }                                                                                                                  \
    out[blockIdx.x * 256 + threadIdx.x] = (float)(c0[0] + c1[0] + c2[0] + c3[0]);                                      \
  }

MATRIX_LOOP(matrix_fp32, f16v, float, float, __builtin_amdgcn_mfma_f32_32x32x2f32)
#if defined(__gfx950__)
MATRIX_LOOP(matrix_fp16, f16v, h8, h8, __builtin_amdgcn_mfma_f32_32x32x16_f16)
MATRIX_LOOP(matrix_bf16, f16v, b8, b8, __builtin_amdgcn_mfma_f32_32x32x16_bf16)
MATRIX_LOOP(matrix_int8, i16v, i4, i4, __builtin_amdgcn_mfma_i32_32x32x32_i8)
#else
MATRIX_LOOP(matrix_fp16, f16v, h4, h4, __builtin_amdgcn_mfma_f32_32x32x8f16)
#if defined(__gfx908__)
MATRIX_LOOP(matrix_bf16, f16v, s2, s2, __builtin_amdgcn_mfma_f32_32x32x4bf16)
#else
MATRIX_LOOP(matrix_bf16, f16v, s4, s4, __builtin_amdgcn_mfma_f32_32x32x8bf16_1k)
#endif
#if defined(__gfx942__)
MATRIX_LOOP(matrix_int8, i16v, long, long, __builtin_amdgcn_mfma_i32_32x32x16_i8)
MATRIX_LOOP(matrix_xf32, f16v, f2, f2, __builtin_amdgcn_mfma_f32_32x32x4_xf32)
#else
MATRIX_LOOP(matrix_int8, i16v, int, int, __builtin_amdgcn_mfma_i32_32x32x8i8)
#endif
#endif

// The same for f64, spelled out: compilers move its accumulators to other registers and back in every turn of the loop.
#if !defined(__gfx908__)
#if defined(__gfx90a__)
#define MATRIX_FP64 "v_mfma_f64_16x16x4f64"
#else
#define MATRIX_FP64 "v_mfma_f64_16x16x4_f64"
#endif
extern "C" __global__ __launch_bounds__(256) void matrix_fp64(float *out, int n) {
  d4 c0 = {}, c1 = {}, c2 = {}, c3 = {};
  double a = {};
  for (int i = 0; i < n; ++i)
    asm volatile(MATRIX_FP64 " %0, %4, %4, %0\n" MATRIX_FP64 " %1, %4, %4, %1\n" MATRIX_FP64
                             " %2, %4, %4, %2\n" MATRIX_FP64 " %3, %4, %4, %3\n"
                 : "+v"(c0), "+v"(c1), "+v"(c2), "+v"(c3)
                 : "v"(a));
  asm volatile("s_nop 15\ns_nop 15" : "+v"(c0), "+v"(c1), "+v"(c2), "+v"(c3)); // until the results are there
  out[blockIdx.x * 256 + threadIdx.x] = (float)(c0[0] + c1[0] + c2[0] + c3[0]);
}
#endif

// `n` times 128 vector instructions on registers of `type`.
#define REPEAT_4(text)  text text text text
#define REPEAT_16(text) REPEAT_4(text) REPEAT_4(text) REPEAT_4(text) REPEAT_4(text)
#define REPEAT_64(text) REPEAT_4(REPEAT_16(text))
#define VECTOR_LOOP(name, type, instruction)                                                                           \
  extern "C" __global__ __launch_bounds__(256) void name(float *out, int n) {                                          \
    type x = {}, y = {};                                                                                               \
    for (int i = 0; i < n; ++i)                                                                                        \
      asm volatile(REPEAT_64(instruction "\n") REPEAT_64(instruction "\n") : "+v"(x) : "v"(y));                       \
    out[blockIdx.x * 256 + threadIdx.x] = *(float *)&x;                                                                \
  }

VECTOR_LOOP(vector_fp32, float, "v_fma_f32 %0, %0, %1, %1")
VECTOR_LOOP(vector_fp64, double, "v_fma_f64 %0, %0, %1, %1")
VECTOR_LOOP(vector_packed_fp16, float, "v_pk_fma_f16 %0, %0, %1, %1")
VECTOR_LOOP(vector_exp, float, "v_exp_f32 %0, %0")
VECTOR_LOOP(vector_multiply, float, "v_mul_lo_u32 %0, %0, %1")
#if !defined(__gfx908__)
VECTOR_LOOP(vector_packed_fp32, f2, "v_pk_fma_f32 %0, %0, %1, %1")
#endif

extern "C" __global__ __launch_bounds__(256) void copy(f4 *to, const f4 *from) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  to[i] = from[i];
}

// `n` times sixteen LDS reads a lane, `apart` bytes from the neighbouring lane's.
#define FOUR(read) read " %0, %4\n" read " %1, %4\n" read " %2, %4\n" read " %3, %4\n"
#define LDS_LOOP(name, type, read, sum)                                                                                \
  extern "C" __global__ __launch_bounds__(256) void name(float *out, int n, int apart) {                               \
    __shared__ float lds[8192];                                                                                        \
    for (int i = threadIdx.x; i < 8192; i += 256)                                                                      \
      lds[i] = 1;                                                                                                      \
    __syncthreads();                                                                                                   \
    const unsigned base = (unsigned)(size_t)(__attribute__((address_space(3))) float *)lds;                            \
    const unsigned at = base + threadIdx.x % 64 * apart;                                                               \
    type a, b, c, d;                                                                                                   \
    for (int i = 0; i < n; ++i)                                                                                        \
      asm volatile(FOUR(read) FOUR(read) FOUR(read) FOUR(read)                                                         \
                   : "=&v"(a), "=&v"(b), "=&v"(c), "=&v"(d)                                                            \
                   : "v"(at));                                                                                         \
    asm volatile("s_waitcnt lgkmcnt(0)" : "+v"(a), "+v"(b), "+v"(c), "+v"(d));                                         \
    out[blockIdx.x * 256 + threadIdx.x] = sum;                                                                         \
  }

LDS_LOOP(lds_read, f4, "ds_read_b128", a[0] + b[0] + c[0] + d[0])
LDS_LOOP(lds_read_dwords, float, "ds_read_b32", a + b + c + d)

// `n` times sixteen LDS writes a lane, side by side.
#define LDS_WRITE_LOOP(name, type, write)                                                                              \
  extern "C" __global__ __launch_bounds__(256) void name(float *out, int n) {                                          \
    __shared__ type lds[256];                                                                                          \
    const unsigned at = (unsigned)(size_t)(__attribute__((address_space(3))) type *)&lds[threadIdx.x];                 \
    const type value = {};                                                                                             \
    for (int i = 0; i < n; ++i)                                                                                        \
      asm volatile(REPEAT_16(write " %0, %1\n")::"v"(at), "v"(value) : "memory");                                      \
    __syncthreads();                                                                                                   \
    out[blockIdx.x * 256 + threadIdx.x] = *(float *)&lds[threadIdx.x];                                                 \
  }

LDS_WRITE_LOOP(lds_write, f4, "ds_write_b128")
LDS_WRITE_LOOP(lds_write_dwords, float, "ds_write_b32")

// A product of 64x64 tiles, `n` steps of 16 along K: loads, LDS, barriers and matrix instructions.
extern "C" __global__ __launch_bounds__(256) void tiles(float *out, const h4 *a, const h4 *b, int n) {
  __shared__ h4 tile_a[256], tile_b[256];
  f16v c = {};
  const int lane = threadIdx.x % 64, wave = threadIdx.x / 64;
  for (int i = 0; i < n; ++i) {
    const h4 next_a = a[(blockIdx.x * n + i) * 256 + threadIdx.x], next_b = b[i * 256 + threadIdx.x];
    __syncthreads();
    tile_a[threadIdx.x] = next_a;
    tile_b[threadIdx.x] = next_b;
    __syncthreads();
    for (int k = 0; k < 2; ++k)
      c = __builtin_amdgcn_mfma_f32_32x32x8f16(tile_a[wave / 2 * 128 + k * 64 + lane],
                                               tile_b[wave % 2 * 128 + k * 64 + lane], c, 0, 0, 0);
  }
  out[blockIdx.x * 256 + threadIdx.x] = c[0];
}

// Each lane follows indices: nothing but latency.
extern "C" __global__ __launch_bounds__(256) void chase(int *out, const int *next, int n) {
  extern __shared__ int room[];
  int at = blockIdx.x * 256 + threadIdx.x;
  for (int i = 0; i < n; ++i)
    at = next[at];
  if (at < 0)
    room[threadIdx.x] = at;
  out[blockIdx.x * 256 + threadIdx.x] = at;
}

// One wave, all of whose lanes follow one chain of addresses: the latency of a load and nothing else.
extern "C" __global__ __launch_bounds__(256) void hops(void **out, void **at, int n) {
  if (threadIdx.x >= 64)
    return;
  for (int i = 0; i < n; i += 16) {
#pragma unroll
    for (int hop = 0; hop < 16; ++hop) {
      at = (void **)*at;
      asm volatile("" : "+v"(at)); // keeps it in vector registers
    }
  }
  out[threadIdx.x] = at;
}

// Every second workgroup has nothing to do.
extern "C" __global__ __launch_bounds__(256) void uneven(float *out, int n) {
  float x = threadIdx.x;
  const int steps = blockIdx.x % 2 == 0 ? n : 0;
  for (int i = 0; i < steps; ++i)
    x = x * 1.5f + 1;
  out[blockIdx.x * 256 + threadIdx.x] = x;
}
