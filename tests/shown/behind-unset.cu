// Thread 1 reads a cell that nobody has written; thread 8 reads beyond the end.
__global__ void behind_unset(int *out) {
  __shared__ int t[8];
  int tid = threadIdx.x;
  if (tid < 4) t[tid * 2] = 9;
  __syncthreads();
  out[tid] = t[tid];
}
