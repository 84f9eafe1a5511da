// gridlock: verdict = refuted
// gridlock: kind = stale-data
// gridlock: kernel = run
// gridlock: arg = n=6
// gridlock: extent = numbers=n
// gridlock: few-arg = n=2
// gridlock: why = the source of an asynchronous copy is overwritten while the copy may still read it

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
    for (int i = 0; i < n; i++)
        numbers[i] = 0; // <-- guilty
    increment<<<(n + 1) / 2, 2, 0, s>>>(a, n);
    cudaStreamSynchronize(s);
    cudaMemcpy(numbers, a, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaStreamDestroy(s);
    cudaFree(a);
}
