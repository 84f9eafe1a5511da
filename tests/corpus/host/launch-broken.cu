// gridlock: verdict = refuted
// gridlock: kind = invalid-launch
// gridlock: kernel = run
// gridlock: arg = n=1
// gridlock: extent = numbers=n
// gridlock: why = rounded down, the number of blocks is zero

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
    increment<<<n / 2, 2>>>(a, n); // <-- guilty
    cudaMemcpy(numbers, a, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(a);
}
