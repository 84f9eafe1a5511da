// gridlock: verdict = passed
// gridlock: kernel = f
// gridlock: arg = n=3
// gridlock: extent = a=16
// gridlock: extent = b=16
// gridlock: why = each copy brings what the launches need

#include <cuda_runtime.h>
#include <stdlib.h>

__global__ void twice(const int *in, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i] * 2;
}

__global__ void add(int *out, int c)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = out[i] + c;
}

__global__ void turn(int *in, int *out)
{
    int i = threadIdx.x;
    in[i] = in[i] * 3;
    __syncthreads();
    out[i] = in[15 - i];
}

void f(int *a, int *b, int n)
{
    size_t bytes = 16 * sizeof(int);
    int *d, *e, *spare;
    int *kept = (int *)malloc(bytes);
    cudaMalloc(&d, bytes);
    cudaMalloc(&e, bytes);
    cudaMalloc(&spare, bytes);
    cudaMemcpy(d, a, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(e, b, bytes, cudaMemcpyHostToDevice);
    twice<<<4, 4>>>(d, e);
    add<<<4, 4>>>(e, n);
    cudaMemcpy(kept, e, bytes, cudaMemcpyDeviceToHost);
    cudaMemcpy(b, e, bytes, cudaMemcpyDeviceToHost);
    cudaMemcpy(e, b, bytes, cudaMemcpyHostToDevice);
    turn<<<1, 16>>>(d, e);
    add<<<4, 4>>>(d, n);
    cudaMemcpy(b, e, bytes, cudaMemcpyDeviceToHost);
    cudaMemcpy(e, a, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(a, d, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d);
    cudaFree(e);
    cudaFree(spare);
    free(kept);
}
