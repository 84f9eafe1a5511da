// gridlock: verdict = refuted
// gridlock: kind = unordered-streams
// gridlock: kernel = run
// gridlock: arg = n=6
// gridlock: extent = numbers=n
// gridlock: few-arg = n=2
// gridlock: why = a copy from pageable memory may still be on its way when the call returns, and the stream does not wait for it

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
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    cudaMemcpy(a, numbers, n * sizeof(int), cudaMemcpyHostToDevice); // <-- guilty
    increment<<<(n + 1) / 2, 2, 0, s>>>(a, n);
    cudaStreamSynchronize(s);
    cudaMemcpy(numbers, a, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaStreamDestroy(s);
    cudaFree(a);
}
