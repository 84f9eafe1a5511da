// The host frees memory, and reads managed memory, because a copy has made it wait.

#include <cuda_runtime.h>

__global__ void count(int *a)
{
    a[threadIdx.x] = threadIdx.x;
}

__global__ void add(int *a, int *last, int v)
{
    a[threadIdx.x] += v;
    last[threadIdx.x] = v;
}

void there_and_back(int *x)
{
    int *shown, *d;
    cudaMallocManaged(&shown, 4 * sizeof(int));
    cudaMalloc(&d, 4 * sizeof(int));
    count<<<1, 4>>>(shown);
    cudaMemcpy(d, x, 4 * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(x, d, 4 * sizeof(int), cudaMemcpyDeviceToHost);
    x[0] += shown[1];
    cudaFree(d);
    cudaFree(shown);
}

void in_a_loop(int *x, int *y)
{
    int *last;
    cudaMallocManaged(&last, 4 * sizeof(int));
    for (int v = 0; v < 2; v++) {
        int *d;
        cudaMalloc(&d, 4 * sizeof(int));
        cudaMemcpy(d, x, 4 * sizeof(int), cudaMemcpyHostToDevice);
        add<<<1, 4>>>(d, last, v);
        cudaMemcpy(x, d, 4 * sizeof(int), cudaMemcpyDeviceToHost);
        y[v] = last[0];
        cudaFree(d);
    }
    cudaDeviceSynchronize();
    cudaFree(last);
}
