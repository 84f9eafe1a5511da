// gridlock: verdict = refuted
// gridlock: kind = use-after-free
// gridlock: kernel = run
// gridlock: arg = n=6
// gridlock: few-arg = n=2
// gridlock: why = the memory is freed in the stream before the kernel that reads it

#include <cuda_runtime.h>

__global__ void fill(int *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = 3 * i;
}

__global__ void twice(const int *a, int *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        b[i] = 2 * a[i]; // <-- guilty
}

void run(int *out, int n)
{
    cudaStream_t s;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    int *a, *b;
    cudaMallocAsync(&a, n * sizeof(int), s);
    cudaMallocAsync(&b, n * sizeof(int), s);
    fill<<<(n + 1) / 2, 2, 0, s>>>(a, n);
    cudaFreeAsync(a, s);
    twice<<<(n + 1) / 2, 2, 0, s>>>(a, b, n);
    cudaMemcpyAsync(out, b, n * sizeof(int), cudaMemcpyDefault, s);
    cudaFreeAsync(b, s);
    cudaStreamSynchronize(s);
    cudaStreamDestroy(s);
}
