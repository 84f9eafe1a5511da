// gridlock: verdict = passed
// gridlock: kernel = f
// gridlock: arg = n=3
// gridlock: extent = a=8
// gridlock: extent = b=8
// gridlock: why = copies bring what is there already, and rounds take everything along

#include <cuda_runtime.h>

__global__ void step(const int *in, int *out, int c)
{
    int i = threadIdx.x;
    out[i] = out[i] * c + in[i];
}

void f(int *a, int *b, int n)
{
    int *d, *e;
    cudaFree(0);
    cudaFree(0);
    cudaMalloc(&d, 8 * sizeof(int));
    cudaMemcpy(d, a, 8 * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(d, a, 8 * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(a, d, 8 * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d);
    for (int round = 0; round < 3; round++) {
        cudaFree(0);
        cudaMalloc(&d, 8 * sizeof(int));
        cudaMalloc(&e, 8 * sizeof(int));
        cudaMemcpy(d, a, 8 * sizeof(int), cudaMemcpyHostToDevice);
        cudaMemcpy(e, b, 8 * sizeof(int), cudaMemcpyHostToDevice);
        step<<<1, 8>>>(d, e, n);
        cudaMemcpy(b, e, 8 * sizeof(int), cudaMemcpyDeviceToHost);
        cudaFree(d);
        cudaFree(e);
    }
}
