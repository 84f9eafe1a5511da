// gridlock: verdict = passed
// gridlock: kernel = run
// gridlock: arg = n=5
// gridlock: few-arg = n=2
// gridlock: why = the host reads and writes managed variables only while nothing it has not waited for uses them

#include <cuda_runtime.h>

#define MOST 8

__managed__ int readings[MOST];
__managed__ int total = 3;

__global__ void sum(int n)
{
    int i = threadIdx.x;
    if (i < n)
        atomicAdd(&total, readings[i]);
}

int run(int n)
{
    for (int i = 0; i < n; i++)
        readings[i] = i * i;
    sum<<<1, MOST>>>(n);
    cudaDeviceSynchronize();
    total -= 3;
    return total;
}
