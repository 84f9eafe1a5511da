// gridlock: verdict = refuted
// gridlock: kind = unordered-streams
// gridlock: kernel = run
// gridlock: arg = n=6
// gridlock: extent = numbers=n
// gridlock: few-arg = n=2
// gridlock: why = another stream sets the memory, and nothing orders the two

#include <cuda_runtime.h>

__constant__ int step[1];

__global__ void add_step(int *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = step[0]; // <-- guilty
}

void run(int *numbers, int n)
{
    int *a, one = 1;
    cudaStream_t s, t;
    cudaMalloc((void **)&a, n * sizeof(int));
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    cudaMemcpyToSymbolAsync(step, &one, sizeof(int), 0, cudaMemcpyHostToDevice, s);
    cudaMemsetAsync(a, 0, n * sizeof(int), t); // <-- guilty
    add_step<<<(n + 1) / 2, 2, 0, s>>>(a, n);
    cudaStreamSynchronize(s);
    cudaStreamSynchronize(t);
    cudaStreamDestroy(t);
    cudaStreamDestroy(s);
    cudaFree(a);
}
