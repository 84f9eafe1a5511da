// A loop that need not run: without it the array is not touched.

#include <cuda_runtime.h>

__global__ void add(int *a, int v)
{
    a[threadIdx.x] += v;
}

void run(int *x, int rounds)
{
    for (int v = 0; v < rounds; v++) {
        int *d;
        cudaMalloc(&d, 4 * sizeof(int));
        cudaMemcpy(d, x, 4 * sizeof(int), cudaMemcpyHostToDevice);
        add<<<1, 4>>>(d, v);
        cudaMemcpy(x, d, 4 * sizeof(int), cudaMemcpyDeviceToHost);
        cudaFree(d);
    }
}
