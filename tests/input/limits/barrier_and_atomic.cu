__global__ void k(int *a, int *c) {
  __shared__ int s[1024];
  s[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  atomicAdd(c, s[(threadIdx.x + 1) % blockDim.x]);
}
