// gridlock: verdict = refuted
// gridlock: kind = unordered-streams
// gridlock: kernel = run
// gridlock: arg = n=6
// gridlock: extent = numbers=n
// gridlock: few-arg = n=2
// gridlock: why = nothing orders the default stream and a stream that does not block it

#include <cuda_runtime.h>

__global__ void increment(int *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] += 1; // <-- guilty
}

void run(int *numbers, int n)
{
    int *a;
    cudaStream_t s;
    cudaMalloc((void **)&a, n * sizeof(int));
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    cudaMemcpy(a, numbers, n * sizeof(int), cudaMemcpyHostToDevice);
    cudaDeviceSynchronize();
    increment<<<(n + 1) / 2, 2, 0, s>>>(a, n);
    increment<<<(n + 1) / 2, 2>>>(a, n);
    cudaDeviceSynchronize();
    cudaMemcpy(numbers, a, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaStreamDestroy(s);
    cudaFree(a);
}
