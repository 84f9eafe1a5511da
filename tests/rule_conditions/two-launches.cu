// Two kernels whose parameters have one name.

#include <cuda_runtime.h>

__global__ void first(int *a)
{
    a[threadIdx.x] = threadIdx.x;
}

__global__ void second(int *a)
{
    a[threadIdx.x] += 1;
}

void run(int *x)
{
    int *a;
    cudaMalloc(&a, 4 * sizeof(int));
    first<<<1, 4>>>(a);
    second<<<1, 4>>>(a);
    cudaMemcpy(x, a, 4 * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(a);
}
