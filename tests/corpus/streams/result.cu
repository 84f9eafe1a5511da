// gridlock: verdict = passed
// gridlock: kernel = run
// gridlock: arg = n=6
// gridlock: extent = numbers=n
// gridlock: few-arg = n=2
// gridlock: why = the host waits for the stream before it uses the result

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
    numbers[0] += 1;
    cudaStreamDestroy(s);
    cudaFree(a);
}
