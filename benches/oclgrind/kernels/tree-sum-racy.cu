// tree-sum without the barrier in the loop.
__global__ void tree_sum(const int *in, int *out) {
  __shared__ int s[1024];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (int h = blockDim.x / 2; h > 0; h >>= 1) {
    if (t < h)
      s[t] += s[t + h];
  }
  if (t == 0)
    out[blockIdx.x] = s[0];
}
