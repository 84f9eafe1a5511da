// bitonic-sort whose threads meet only once for each length.
__global__ void bitonic_sort(int *a) {
  __shared__ int s[256];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  s[t] = a[i];
  __syncthreads();
  for (int k = 2; k <= blockDim.x; k *= 2) {
    for (int j = k / 2; j > 0; j /= 2) {
      int other = t ^ j;
      if (other > t) {
        int mine = s[t];
        int theirs = s[other];
        if ((mine > theirs) == ((t & k) == 0)) {
          s[t] = theirs;
          s[other] = mine;
        }
      }
    }
    __syncthreads();
  }
  a[i] = s[t];
}
