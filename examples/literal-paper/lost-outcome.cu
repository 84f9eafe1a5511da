// Two threads give x their number where they find 0 in it, else 7.
#include <cuda_runtime.h>

__global__ void mark(int *x)
{
    x[0] = x[0] == 0 ? threadIdx.x : 7;
}

void run(int *out)
{
    int *x;
    out[0] = 0;
    cudaMalloc((void **)&x, sizeof(int));
    cudaMemcpy(x, out, sizeof(int), cudaMemcpyHostToDevice);
    mark<<<1, 2>>>(x);
    cudaMemcpy(out, x, sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(x);
}
