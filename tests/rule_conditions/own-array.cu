// An array of the thread's own carries values past a barrier.

#include <cuda_runtime.h>

__global__ void halves(int *a, int *b)
{
    int own[2];
    own[0] = threadIdx.x;
    own[1] = 3;
    a[threadIdx.x] = own[0];
    __syncthreads();
    b[threadIdx.x] = own[threadIdx.x & 1];
}

void run(int *x, int *y)
{
    int *a, *b;
    cudaMalloc(&a, 4 * sizeof(int));
    cudaMalloc(&b, 4 * sizeof(int));
    halves<<<1, 4>>>(a, b);
    cudaMemcpy(x, a, 4 * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(y, b, 4 * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(a);
    cudaFree(b);
}
