// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: why = the sum of all is read before a barrier; blocks of other than 128 threads fail in other ways, which no caller meets

__global__ void shares(const float *x, float *y, float *total, int n) {
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
    atomicAdd(total, sum); // <-- guilty
  }
  if (i < n) {
    y[i] = mine / *total; // <-- guilty
  }
}
