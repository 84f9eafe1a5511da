__device__ int big[2147483647];
__global__ void k() { big[threadIdx.x] = big[threadIdx.x + 1]; }
