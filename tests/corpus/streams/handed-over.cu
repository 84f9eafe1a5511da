// gridlock: verdict = passed
// gridlock: kernel = run
// gridlock: arg = n=6
// gridlock: extent = numbers=n
// gridlock: few-arg = n=2
// gridlock: why = the caller gets its array back when the copy into it has ended

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
    cudaStream_t s;
    cudaMalloc((void **)&a, n * sizeof(int));
    cudaStreamCreate(&s);
    cudaMemcpyAsync(a, numbers, n * sizeof(int), cudaMemcpyHostToDevice, s);
    increment<<<(n + 1) / 2, 2, 0, s>>>(a, n);
    cudaMemcpyAsync(numbers, a, n * sizeof(int), cudaMemcpyDeviceToHost, s);
    cudaStreamSynchronize(s);
    cudaStreamDestroy(s);
    cudaFree(a);
}
