// Kernels of test_schedule.c: some lean on the order of waves, some do not. A workgroup is 256 work-items, four waves.

// Waves queue at a counter; the order in which they come is the result. Atomics are no race, so strict checks pass it.
extern "C" __global__ void __launch_bounds__(256) queue(unsigned *out) {
  __shared__ unsigned next;
  if (threadIdx.x == 0)
    next = 0;
  __syncthreads();
  if (threadIdx.x % 64 == 0)
    out[atomicAdd(&next, 1u)] = threadIdx.x / 64;
}

// The first wave hands a value to the others, and nobody waits for it.
extern "C" __global__ void __launch_bounds__(256) no_barrier(unsigned *out) {
  __shared__ unsigned value[64];
  value[threadIdx.x % 64] = 1;
  __syncthreads();
  if (threadIdx.x < 64)
    value[threadIdx.x] = 2;
  out[threadIdx.x] = value[63 - threadIdx.x % 64];
}

// The same with the barrier.
extern "C" __global__ void __launch_bounds__(256) with_barrier(unsigned *out) {
  __shared__ unsigned value[64];
  if (threadIdx.x < 64)
    value[threadIdx.x] = 2;
  __syncthreads();
  out[threadIdx.x] = value[63 - threadIdx.x % 64];
}

// A tree of sums, and a count by atomics whose order does not matter.
extern "C" __global__ void __launch_bounds__(256) sums(unsigned *out) {
  __shared__ unsigned part[256], count;
  part[threadIdx.x] = threadIdx.x * threadIdx.x;
  if (threadIdx.x == 0)
    count = 0;
  __syncthreads();
  atomicAdd(&count, threadIdx.x);
  for (unsigned half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half)
      part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  out[threadIdx.x] = part[0] + count;
}

// The largest workgroup, with all of the LDS: what takes the host most memory.
extern "C" __global__ void __launch_bounds__(1024) large(unsigned *out) {
  __shared__ unsigned part[16384];
  for (unsigned i = threadIdx.x; i < 16384; i += 1024)
    part[i] = i;
  __syncthreads();
  unsigned sum = 0;
  for (unsigned i = 0; i < 16; i++)
    sum += part[threadIdx.x * 16 + i];
  out[blockIdx.x * 1024 + threadIdx.x] = sum;
}
