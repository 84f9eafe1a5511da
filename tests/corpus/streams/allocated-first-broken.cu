// gridlock: verdict = refuted
// gridlock: kind = unordered-streams
// gridlock: kernel = run
// gridlock: arg = n=6
// gridlock: few-arg = n=2
// gridlock: why = nothing orders the kernel in the default stream behind the allocation in another stream

#include <cuda_runtime.h>

__global__ void fill(int *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = 3 * i; // <-- guilty
}

__global__ void twice(const int *a, int *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        b[i] = 2 * a[i];
}

void run(int *out, int n)
{
    cudaStream_t s;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    int *a, *b;
    cudaMallocAsync(&a, n * sizeof(int), s);
    cudaMallocAsync(&b, n * sizeof(int), s);
    cudaEvent_t allocated, filled;
    cudaEventCreate(&allocated);
    cudaEventCreate(&filled);
    cudaEventRecord(allocated, s);
    fill<<<(n + 1) / 2, 2>>>(a, n);
    cudaEventRecord(filled, 0);
    cudaStreamWaitEvent(s, filled, 0);
    twice<<<(n + 1) / 2, 2, 0, s>>>(a, b, n);
    cudaFreeAsync(a, s);
    cudaMemcpyAsync(out, b, n * sizeof(int), cudaMemcpyDefault, s);
    cudaFreeAsync(b, s);
    cudaStreamSynchronize(s);
    cudaStreamDestroy(s);
    cudaEventDestroy(allocated);
    cudaEventDestroy(filled);
}
