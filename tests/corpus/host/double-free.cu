// gridlock: verdict = passed
// gridlock: kernel = run
// gridlock: arg = n=6
// gridlock: extent = numbers=n
// gridlock: few-arg = n=2
// gridlock: why = the memory is freed once

#include <cuda_runtime.h>

__global__ void increment(int *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] += 1;
}

void run(int *numbers, int n)
{
    int *a;
    cudaMalloc((void **)&a, n * sizeof(int));
    cudaMemcpy(a, numbers, n * sizeof(int), cudaMemcpyHostToDevice);
    increment<<<(n + 1) / 2, 2>>>(a, n);
    cudaMemcpy(numbers, a, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(a);
}
