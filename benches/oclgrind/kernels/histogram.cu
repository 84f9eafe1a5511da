// A histogram of 64 bins, first in shared memory.
__global__ void histogram(const int *in, int *bins) {
  __shared__ int own[64];
  int t = threadIdx.x;
  if (t < 64)
    own[t] = 0;
  __syncthreads();
  int value = in[blockIdx.x * blockDim.x + t];
  atomicAdd(&own[value & 63], 1);
  __syncthreads();
  if (t < 64)
    atomicAdd(&bins[t], own[t]);
}
