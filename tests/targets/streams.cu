// Two halves, each in a stream of its own; a third kernel waits for both by events.

#include <cuda_runtime.h>

__global__ void scale(int *a, int n, int by)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] *= by;
}

__global__ void add(int *a, const int *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] += b[i];
}

void combine(int *x, const int *y, int n)
{
    int *a, *b, *staged;
    cudaStream_t first, second;
    cudaEvent_t ready, done;
    cudaMalloc((void **)&a, n * sizeof(int));
    cudaMalloc((void **)&b, n * sizeof(int));
    cudaMallocHost((void **)&staged, n * sizeof(int));
    cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    cudaEventCreate(&ready);
    cudaEventCreate(&done);
    cudaMemcpyAsync(a, x, n * sizeof(int), cudaMemcpyHostToDevice, first);
    scale<<<(n + 3) / 4, 4, 0, first>>>(a, n, 2);
    for (int i = 0; i < n; i++)
        staged[i] = y[i];
    cudaMemcpyAsync(b, staged, n * sizeof(int), cudaMemcpyHostToDevice, second);
    scale<<<(n + 3) / 4, 4, 0, second>>>(b, n, 3);
    cudaEventRecord(ready, second);
    cudaStreamWaitEvent(first, ready, 0);
    add<<<(n + 3) / 4, 4, 0, first>>>(a, b, n);
    cudaMemcpyAsync(x, a, n * sizeof(int), cudaMemcpyDeviceToHost, first);
    cudaEventRecord(done, first);
    cudaEventSynchronize(done);
    x[0] += 1;
    cudaStreamSynchronize(second);
    cudaDeviceSynchronize();
    cudaEventDestroy(done);
    cudaEventDestroy(ready);
    cudaStreamDestroy(second);
    cudaStreamDestroy(first);
    cudaFreeHost(staged);
    cudaFree(b);
    cudaFree(a);
}
