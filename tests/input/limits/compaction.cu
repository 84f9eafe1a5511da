__global__ void k(const int *in, int *out, int *n, int size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size && in[i] > 0) {
    int at = atomicAdd(n, 1);
    out[at] = in[i];
  }
}
