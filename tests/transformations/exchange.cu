#include <cuda_runtime.h>

__global__ void twice(const int *in, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i] * 2;
}

__global__ void turn(int *out, const int *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[7 - i];
}

void f(int *a, int *b, int n)
{
    size_t bytes = 8 * sizeof(int);
    int *d, *e;
    cudaMalloc(&d, bytes);
    cudaMalloc(&e, bytes);
    cudaMemcpy(d, a, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(e, b, bytes, cudaMemcpyHostToDevice);
    twice<<<2, 4>>>(d, e);
    turn<<<2, 4>>>(d, e);
    cudaMemcpy(b, e, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d);
    cudaFree(e);
}
