__global__ void behind_unset(int *out) {
  __shared__ int t[8];
  int tid = threadIdx.x;
  if (tid < 8) t[tid] = 9;
  __syncthreads();
  out[tid] = t[tid % 8];
}
