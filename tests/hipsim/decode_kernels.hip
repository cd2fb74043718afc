/* Kernels whose code exercises the decoder: integer and floating-point arithmetic of all widths, divisions, LDS, atomics,
 * matrix cores, calls, branches. What they compute does not matter. */
typedef float f4 __attribute__((ext_vector_type(4)));
typedef float f16v __attribute__((ext_vector_type(16)));
typedef _Float16 h4 __attribute__((ext_vector_type(4)));
typedef _Float16 h2 __attribute__((ext_vector_type(2)));
typedef int i4 __attribute__((ext_vector_type(4)));

extern "C" __global__ void matrix(const h4 *a, const h4 *b, float *out, int n) {
  __shared__ h4 tile[512];
  f16v big = {0};
  f4 small = {0};
  float single = 0;
  for (int i = 0; i < n; i++) {
    tile[threadIdx.x] = a[i * 64 + threadIdx.x];
    __syncthreads();
    h4 x = tile[threadIdx.x ^ 1];
    big = __builtin_amdgcn_mfma_f32_32x32x8f16(x, b[i], big, 0, 0, 0);
    small = __builtin_amdgcn_mfma_f32_16x16x16f16(x, b[i], small, 1, 0, 2);
    small = __builtin_amdgcn_mfma_f32_16x16x4f32(single, (float)i, small, 0, 0, 0);
    single += small[0];
    __syncthreads();
  }
  for (int i = 0; i < 16; i++)
    out[i * 64 + threadIdx.x] = big[i] + small[i & 3];
}

extern "C" __global__ void integers(const unsigned *a, const int *b, long *c, unsigned long *d, int n, unsigned m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned x = a[i] / m, y = a[i] % (m + i);
  int z = b[i] / n;
  long q = c[i] * d[i] + (c[i] >> (x & 63)) + (d[i] << y) - (long)z;
  d[i] = d[i] / (x | 1) + __popcll(d[i]) + __clz(x) + __ffs(y) + __brev(z) + __umulhi(x, y) + __mul24(x, y);
  c[i] = q < 0 ? q + min(x, y) : (long)max(z, b[i]) * (short)x + (signed char)y;
  atomicAdd((unsigned *)&d[i], x);
  atomicMax((int *)&c[i], z);
  atomicCAS((unsigned long long *)&d[i], 1ull, 2ull);
}

extern "C" __global__ void floats(const float *a, const double *b, const _Float16 *h, float *out, double *wide, _Float16 *half) {
  int i = threadIdx.x;
  float x = a[i], y = a[i + 64];
  out[i] = x / y + sqrtf(x) * expf(y) - logf(x) + sinf(y) + fminf(x, y) * floorf(x) + fabsf(y) + ldexpf(x, (int)y);
  out[i + 64] = x > y ? (float)(unsigned)x : (float)(int)y;
  out[i + 128] = isnan(x) || isinf(y) ? 0 : rintf(x) + truncf(y) + ceilf(x);
  wide[i] = b[i] / b[i + 1] + sqrt(b[i]) * b[i + 2] - floor(b[i + 3]) + (double)(int)b[i] + fmin(b[i], b[i + 1]);
  half[i] = h[i] * h[i + 1] + h[i + 2] / h[i + 3];
  h2 p = {h[i], h[i + 1]}, q = {h[i + 2], h[i + 4]};
  p = p * q + p;
  half[i + 64] = p[0] + p[1] * (_Float16)x;
}

extern "C" __global__ void lanes(int *data, unsigned char *bytes, short *shorts) {
  int x = data[threadIdx.x];
  for (int offset = 32; offset > 0; offset /= 2)
    x += __shfl_xor(x, offset);
  x += __shfl(x, 3) + __popcll(__ballot(x > 5)) + __any(x == 2);
  x = __builtin_amdgcn_update_dpp(0, x, 0x111, 0xf, 0xf, false) + __builtin_amdgcn_readfirstlane(x);
  x += __builtin_amdgcn_mov_dpp(x, 0xb1, 0xf, 0xf, true) + __builtin_amdgcn_mbcnt_lo(~0u, 0);
  bytes[threadIdx.x] += (unsigned char)x;
  shorts[threadIdx.x] = shorts[threadIdx.x + 1] * (short)x;
  data[threadIdx.x] = __builtin_amdgcn_perm(x, data[0], 0x03020504) + __builtin_amdgcn_ubfe(x, 3, 5);
}

static __attribute__((noinline)) __device__ int deep(int *a, int n) {
  int local[16];
  for (int i = 0; i < 16; i++)
    local[i] = a[i] + n;
  return n <= 0 ? local[a[0] & 15] : deep(a, n - 1) + local[a[n] & 15];
}

extern "C" __global__ void calls(int *a, int n) {
  if (a[threadIdx.x] == n)
    __builtin_trap();
  a[threadIdx.x] = deep(a, n);
}
