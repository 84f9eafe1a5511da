// gridlock: verdict = passed
// gridlock: kernel = run
// gridlock: arg = n=6
// gridlock: extent = numbers=n
// gridlock: few-arg = n=2
// gridlock: why = each device computes on its own memory

#include <cuda_runtime.h>

__global__ void increment(int *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] += 1;
}

void run(int *numbers, int n)
{
    int *a, *b;
    int half = n / 2;
    cudaSetDevice(0);
    cudaMalloc((void **)&a, half * sizeof(int));
    cudaSetDevice(1);
    cudaMalloc((void **)&b, half * sizeof(int));
    cudaMemcpy(a, numbers, half * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(b, numbers + half, half * sizeof(int), cudaMemcpyHostToDevice);
    cudaDeviceSynchronize();
    cudaSetDevice(0);
    increment<<<(half + 1) / 2, 2>>>(a, half);
    cudaSetDevice(1);
    increment<<<(half + 1) / 2, 2>>>(b, half);
    cudaMemcpy(numbers + half, b, half * sizeof(int), cudaMemcpyDeviceToHost);
    cudaSetDevice(0);
    cudaMemcpy(numbers, a, half * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(a);
    cudaFree(b);
}
