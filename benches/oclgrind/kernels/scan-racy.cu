// scan without the barrier between reading a neighbour and writing one's own.
__global__ void scan(const int *in, int *out) {
  __shared__ int s[256];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  s[t] = in[i];
  __syncthreads();
  for (int d = 1; d < blockDim.x; d *= 2) {
    int add = 0;
    if (t >= d)
      add = s[t - d];
    s[t] += add;
    __syncthreads();
  }
  out[i] = s[t];
}
