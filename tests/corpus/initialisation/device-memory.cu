// gridlock: verdict = passed
// gridlock: kernel = run
// gridlock: extent = numbers=4
// gridlock: why = the array is copied to the device before the kernel reads it

#include <cuda_runtime.h>

__global__ void increment(int *a)
{
    a[threadIdx.x] += 1;
}

void run(int *numbers)
{
    int *a;
    cudaMalloc((void **)&a, 4 * sizeof(int));
    cudaMemcpy(a, numbers, 4 * sizeof(int), cudaMemcpyHostToDevice);
    increment<<<1, 4>>>(a);
    cudaMemcpy(numbers, a, 4 * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(a);
}
