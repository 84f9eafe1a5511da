// gridlock: verdict = passed
// gridlock: kernel = run
// gridlock: arg = n=6
// gridlock: few-arg = n=2
// gridlock: why = the per-thread default stream and the legacy one wait for each other

#include <cuda_runtime.h>

__global__ void increment(int *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] += 1;
}

void run(int *data, int n)
{
    int *a;
    cudaMalloc(&a, n * sizeof(int));
    cudaMemcpy(a, data, n * sizeof(int), cudaMemcpyDefault);
    increment<<<(n + 1) / 2, 2, 0, cudaStreamPerThread>>>(a, n);
    increment<<<(n + 1) / 2, 2>>>(a, n);
    cudaMemcpy(data, a, n * sizeof(int), cudaMemcpyDefault);
    cudaFree(a);
}
