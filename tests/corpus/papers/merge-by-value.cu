// gridlock: verdict = passed
// gridlock: kernel = run
// gridlock: extent = out=1
// gridlock: why = only one thread writes the cell

#include <assert.h>
#include <cuda_runtime.h>

__global__ void mark(int *x)
{
    if (threadIdx.x == 1)
        x[0] = x[0] == 0 ? threadIdx.x : 7;
}

__global__ void look(int *x)
{
    assert(x[0] != 0);
}

void run(int *out)
{
    int *x;
    out[0] = 0;
    cudaMalloc((void **)&x, sizeof(int));
    cudaMemcpy(x, out, sizeof(int), cudaMemcpyHostToDevice);
    mark<<<1, 2>>>(x);
    look<<<1, 1>>>(x);
    cudaMemcpy(out, x, sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(x);
}
