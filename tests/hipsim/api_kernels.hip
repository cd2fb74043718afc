// Small kernels for the tests of libhipsim's HIP side.

__device__ int scale = 3;
__constant__ int bias = 4;

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}

// out[linear work-item of the grid] = block and thread indices, packed
extern "C" __global__ void indices(unsigned *out) {
  const unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  const unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const unsigned size = blockDim.x * blockDim.y * blockDim.z;
  out[block * size + thread] = blockIdx.x | blockIdx.y << 4 | blockIdx.z << 8 | threadIdx.x << 12 | threadIdx.y << 20 |
                               threadIdx.z << 26;
}

// Arguments of several sizes, so that their places matter.
extern "C" __global__ void arguments(char a, double b, short c, int *out, long d) {
  out[0] = a;
  out[1] = (int)b;
  out[2] = c;
  out[3] = (int)(d >> 32);
  out[4] = (int)d;
}

extern "C" __global__ void __launch_bounds__(256) reverse(int *data) {
  __shared__ int tile[256];
  tile[threadIdx.x] = data[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  data[blockIdx.x * 256 + threadIdx.x] = tile[255 - threadIdx.x];
}

extern "C" __global__ void dynamic_lds(int *data) {
  extern __shared__ int tile[];
  tile[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

extern "C" __global__ void variables(int *out) {
  out[threadIdx.x] = scale * 100 + bias;
}

extern "C" __global__ void nothing() {}

// Writes one element past the end when told to, from one workgroup.
extern "C" __global__ void write_at(int *data, long index, int block) {
  if ((int)blockIdx.x == block && threadIdx.x == 0)
    data[index] = 1;
}

// Every workgroup from `first` on fails, each at an address of its own.
extern "C" __global__ void fail_from(int *data, int first) {
  if ((int)blockIdx.x >= first)
    data[1000000 + blockIdx.x] = 1;
}

extern "C" __global__ void endless(volatile int *data) {
  while (data[0] != 12345) {
  }
}
