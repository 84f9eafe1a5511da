// gridlock: verdict = passed
// gridlock: kernel = run
// gridlock: arg = n=6
// gridlock: extent = numbers=n
// gridlock: few-arg = n=2
// gridlock: why = a stream sets memory in its turn, before the launch and the copy behind it

#include <cuda_runtime.h>

__constant__ int step[1];

__global__ void add_step(int *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] += step[0];
}

void run(int *numbers, int n)
{
    int *a, one = 1;
    cudaStream_t s;
    cudaMalloc((void **)&a, n * sizeof(int));
    cudaStreamCreate(&s);
    cudaMemcpyToSymbolAsync(step, &one, sizeof(int), 0, cudaMemcpyHostToDevice, s);
    cudaMemsetAsync(a, 0, n * sizeof(int), s);
    add_step<<<(n + 1) / 2, 2, 0, s>>>(a, n);
    cudaMemcpyAsync(numbers, a, n * sizeof(int), cudaMemcpyDeviceToHost, s);
    cudaStreamSynchronize(s);
    cudaStreamDestroy(s);
    cudaFree(a);
}
