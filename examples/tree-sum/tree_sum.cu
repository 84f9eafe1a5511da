// Sums each block's slice of an array by a tree, in global memory, with a barrier after each
// step. The sum of block b ends up in out[b * blockDim.x].

#include <cuda_runtime.h>

#define BLOCK 64

__global__ void tree_sum(const int *in, int *out)
{
    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];
    __syncthreads();
    for (int s = 1; s < blockDim.x; s *= 2) {
        if (tid % (2 * s) == 0)
            out[i] += out[i + s];
        __syncthreads();
    }
}

// Sums the slices of `numbers`, n of them, n a multiple of BLOCK; the sum of slice b is left in
// partial[b * BLOCK].
void sum_slices(const int *numbers, int *partial, int n)
{
    int *in;
    int *out;
    cudaMalloc((void **)&in, n * sizeof(int));
    cudaMalloc((void **)&out, n * sizeof(int));
    cudaMemcpy(in, numbers, n * sizeof(int), cudaMemcpyHostToDevice);
    tree_sum<<<n / BLOCK, BLOCK>>>(in, out);
    cudaMemcpy(partial, out, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
}
