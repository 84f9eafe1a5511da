// One thread adds 1 to x, the other 2, by two statements.
#include <cuda_runtime.h>

__global__ void add(int *x)
{
    if (threadIdx.x == 0)
        x[0] += 1;
    else
        x[0] += 2;
}

void run(int *out)
{
    int *x;
    out[0] = 0;
    cudaMalloc((void **)&x, sizeof(int));
    cudaMemcpy(x, out, sizeof(int), cudaMemcpyHostToDevice);
    add<<<1, 2>>>(x);
    cudaMemcpy(out, x, sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(x);
}
