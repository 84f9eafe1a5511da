// gridlock: verdict = refuted
// gridlock: kind = stale-data
// gridlock: kernel = run
// gridlock: arg = n=6
// gridlock: extent = result=n
// gridlock: few-arg = n=2
// gridlock: why = the host fills cells of managed memory that a launch is still working on

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
    for (int i = -1; i < n; i++)
        a[n + i] = -i; // <-- guilty
    increment<<<(n + 1) / 2, 2, 0, second>>>(a + n, n);
    cudaStreamSynchronize(first);
    for (int i = 0; i < n; i++)
        result[i] = a[i];
    cudaStreamSynchronize(second);
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
    cudaFree(a);
}
