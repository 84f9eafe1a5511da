// gridlock: verdict = passed
// gridlock: kernel = run
// gridlock: arg = n=6
// gridlock: extent = result=n
// gridlock: few-arg = n=2
// gridlock: why = while one stream computes, the host fills the half of managed memory that the other will read

#include <cuda_runtime.h>

__global__ void increment(int *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] += 1;
}

void run(int *result, int n)
{
    int *a;
    cudaStream_t first, second;
    cudaMallocManaged(&a, 2 * n * sizeof(int));
    cudaStreamCreate(&first);
    cudaStreamCreate(&second);
    for (int i = 0; i < n; i++)
        a[i] = i;
    increment<<<(n + 1) / 2, 2, 0, first>>>(a, n);
    for (int i = 0; i < n; i++)
        a[n + i] = -i;
    increment<<<(n + 1) / 2, 2, 0, second>>>(a + n, n);
    cudaStreamSynchronize(first);
    for (int i = 0; i < n; i++)
        result[i] = a[i];
    cudaStreamSynchronize(second);
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
    cudaFree(a);
}
