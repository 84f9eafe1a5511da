// gridlock: verdict = refuted
// gridlock: kind = unordered-streams
// gridlock: kernel = run
// gridlock: arg = n=6
// gridlock: few-arg = n=2
// gridlock: why = a stream that does not block takes no part in what the per-thread default stream waits for

#include <cuda_runtime.h>

__global__ void increment(int *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] += 1; // <-- guilty
}

void run(int *data, int n)
{
    cudaStream_t s;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    int *a;
    cudaMalloc(&a, n * sizeof(int));
    cudaMemcpy(a, data, n * sizeof(int), cudaMemcpyDefault);
    increment<<<(n + 1) / 2, 2, 0, cudaStreamPerThread>>>(a, n);
    increment<<<(n + 1) / 2, 2, 0, s>>>(a, n);
    cudaStreamSynchronize(s);
    cudaMemcpy(data, a, n * sizeof(int), cudaMemcpyDefault);
    cudaDeviceSynchronize();
    cudaFree(a);
    cudaStreamDestroy(s);
}
