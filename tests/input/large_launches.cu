// Launches by host code that some devices take: 80 KiB of shared memory a block, and 2,048 threads a block, which none does.
#include <cuda_runtime.h>

__global__ void last(int *out) {
  extern __shared__ int room[];
  room[threadIdx.x] = 1;
  *out = threadIdx.x;
}

void roomy() {
  int *out;
  cudaMalloc(&out, sizeof(int));
  last<<<1, 2, 80 * 1024>>>(out);
  cudaFree(out);
}

void wide() {
  int *out;
  cudaMalloc(&out, sizeof(int));
  last<<<1, 2048, 8192>>>(out);
  cudaFree(out);
}
