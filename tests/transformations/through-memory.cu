#include <cuda_runtime.h>

__global__ void both(int *in, int *out)
{
    int i = threadIdx.x;
    in[i] = in[i] * 2;
    __syncthreads();
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
    both<<<1, 8>>>(d, e);
    cudaMemcpy(b, e, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d);
    cudaFree(e);
}
