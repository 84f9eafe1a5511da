// gridlock: verdict = refuted
// gridlock: kind = use-after-free
// gridlock: kernel = run
// gridlock: arg = n=6
// gridlock: extent = numbers=n
// gridlock: few-arg = n=2
// gridlock: why = the memory is freed while the kernel that uses it may still run

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
    cudaMemcpy(a, numbers, n * sizeof(int), cudaMemcpyHostToDevice);
    cudaDeviceSynchronize();
    cudaStreamCreate(&s);
    increment<<<(n + 1) / 2, 2, 0, s>>>(a, n);
    cudaFree(a); // <-- guilty
    cudaStreamSynchronize(s);
    cudaStreamDestroy(s);
}
