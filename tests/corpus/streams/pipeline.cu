// gridlock: verdict = passed
// gridlock: kernel = run
// gridlock: arg = n=6
// gridlock: extent = numbers=n
// gridlock: few-arg = n=2
// gridlock: why = each kernel waits for the event behind the copy of its half

#include <cuda_runtime.h>

__global__ void increment(int *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] += 1;
}

void run(int *numbers, int n)
{
    int *a, *b;
    cudaStream_t s, t;
    cudaEvent_t ready;
    int half = n / 2;
    cudaMalloc((void **)&a, n * sizeof(int));
    cudaMallocHost((void **)&b, n * sizeof(int));
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
    cudaEventCreate(&ready);
    for (int i = 0; i < n; i++)
        b[i] = numbers[i];
    for (int c = 0; c < 2; c++) {
        cudaMemcpyAsync(a + c * half, b + c * half, half * sizeof(int), cudaMemcpyHostToDevice, s);
        cudaEventRecord(ready, s);
        cudaStreamWaitEvent(t, ready, 0);
        increment<<<(half + 1) / 2, 2, 0, t>>>(a + c * half, half);
    }
    cudaMemcpyAsync(b, a, n * sizeof(int), cudaMemcpyDeviceToHost, t);
    cudaStreamSynchronize(t);
    for (int i = 0; i < n; i++)
        numbers[i] = b[i];
    cudaStreamSynchronize(s);
    cudaEventDestroy(ready);
    cudaStreamDestroy(s);
    cudaStreamDestroy(t);
    cudaFreeHost(b);
    cudaFree(a);
}
