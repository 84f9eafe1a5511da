// gridlock: verdict = passed
// gridlock: kernel = run
// gridlock: arg = n=1
// gridlock: extent = numbers=n
// gridlock: why = one block is launched

#include <assert.h>
#include <cuda_runtime.h>

#define MOST_THREADS 2

__global__ void mirror(int *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = -i - 1;
}

void run(int *numbers, int n)
{
    int *a;
    for (int i = 0; i < n; i++)
        numbers[i] = 0;
    cudaMalloc((void **)&a, n * sizeof(int));
    cudaMemcpy(a, numbers, n * sizeof(int), cudaMemcpyHostToDevice);
    mirror<<<(n + MOST_THREADS - 1) / MOST_THREADS, MOST_THREADS>>>(a, n);
    cudaMemcpy(numbers, a, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(a);
    for (int i = 0; i < n; i++)
        assert(numbers[i] == -i - 1);
}
