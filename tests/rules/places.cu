// gridlock: verdict = passed
// gridlock: kernel = f
// gridlock: arg = n=3
// gridlock: extent = a=8
// gridlock: extent = b=8
// gridlock: why = several places use the device, one after the other, each with arrays of its own

#include <cuda_runtime.h>

__global__ void fill(int *out, int c)
{
    out[threadIdx.x] = c + threadIdx.x;
}

__global__ void add(const int *in, int *out)
{
    out[threadIdx.x] = out[threadIdx.x] + in[threadIdx.x];
}

void f(int *a, int *b, int n)
{
    int *anew, *sums, *again, *first, *second, *filled, *added;
    size_t bytes = 8 * sizeof(int);
    if (n > 0)
        a[0] = a[0] + 1;
    if (n > 0)
        a[1] = a[0];
    for (int round = 0; round < 2; round++) {
        cudaMalloc(&anew, 8 * sizeof(int));
        fill<<<1, 8>>>(anew, round);
        cudaMemcpy(b, anew, 8 * sizeof(int), cudaMemcpyDeviceToHost);
        cudaFree(anew);
    }
    cudaMalloc(&sums, bytes);
    fill<<<1, 8>>>(sums, n);
    cudaMemcpy(b, sums, bytes, cudaMemcpyDeviceToHost);
    cudaFree(sums);
    cudaMalloc(&again, bytes);
    cudaMemcpy(again, b, bytes, cudaMemcpyHostToDevice);
    cudaMalloc(&first, bytes);
    cudaMemcpy(first, a, bytes, cudaMemcpyHostToDevice);
    add<<<1, 8>>>(first, again);
    cudaMemcpy(b, again, bytes, cudaMemcpyDeviceToHost);
    fill<<<1, 8>>>(again, 1);
    cudaFree(first);
    cudaMalloc(&second, bytes);
    cudaMemcpy(second, a, bytes, cudaMemcpyHostToDevice);
    add<<<1, 8>>>(second, again);
    cudaFree(second);
    cudaMemcpy(b, again, bytes, cudaMemcpyDeviceToHost);
    cudaMemcpy(b, again, bytes, cudaMemcpyDeviceToHost);
    cudaFree(again);
    cudaMalloc(&filled, bytes);
    cudaMalloc(&added, bytes);
    fill<<<1, 8>>>(filled, 2);
    cudaMemcpy(added, a, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(b, filled, bytes, cudaMemcpyDeviceToHost);
    add<<<1, 8>>>(filled, added);
    cudaFree(filled);
    cudaFree(added);
}
