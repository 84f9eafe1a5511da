// gridlock: verdict = passed
// gridlock: kernel = run
// gridlock: arg = n=6
// gridlock: few-arg = n=2
// gridlock: why = the host touches managed memory only after it has waited for the launch that uses it

#include <cuda_runtime.h>

__global__ void increment(int *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] += 1;
}

int run(int n)
{
    int *a;
    cudaMallocManaged(&a, n * sizeof(int));
    for (int i = 0; i < n; i++)
        a[i] = i;
    increment<<<(n + 1) / 2, 2>>>(a, n);
    cudaDeviceSynchronize();
    int last = a[n - 1];
    cudaFree(a);
    return last;
}
