// gridlock: verdict = conditional
// gridlock: why = the sum of all is read by a kernel of its own; blocks have 128 threads, as the first says

__global__ void add(const float *x, float *total, int n) {
  __shared__ float of_warp[4];
  int i = blockIdx.x * 128 + threadIdx.x;
  float mine = i < n ? x[i] : 0.0f;
  float sum = mine;
  for (int far = 16; far > 0; far /= 2) {
    sum += __shfl_xor_sync(0xffffffff, sum, far);
  }
  if (threadIdx.x % 32 == 0) {
    of_warp[threadIdx.x / 32] = sum;
  }
  __syncthreads();
  sum = threadIdx.x % 32 < 4 ? of_warp[threadIdx.x % 32] : 0.0f;
  for (int far = 2; far > 0; far /= 2) {
    sum += __shfl_xor_sync(0xffffffff, sum, far);
  }
  if (threadIdx.x == 0) {
    atomicAdd(total, sum);
  }
}

__global__ void divide(const float *x, float *y, const float *total, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    y[i] = x[i] / *total;
  }
}
