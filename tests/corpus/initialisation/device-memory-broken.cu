// gridlock: verdict = refuted
// gridlock: kind = uninitialised-read
// gridlock: kernel = run
// gridlock: extent = numbers=4
// gridlock: why = the kernel reads memory that nobody has written

#include <cuda_runtime.h>

__global__ void increment(int *a)
{
    a[threadIdx.x] += 1; // <-- guilty
}

void run(int *numbers)
{
    int *a;
    cudaMalloc((void **)&a, 4 * sizeof(int));
    increment<<<1, 4>>>(a);
    cudaMemcpy(numbers, a, 4 * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(a);
}
