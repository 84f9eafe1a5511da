// A tree sum that is right for powers of two, and says only that it wants even blocks.
#include <assert.h>

__global__ void tree_sum(const int *in, int *out)
{
    __requires(blockDim.x % 2 == 0 && blockDim.x <= 64);
    __shared__ int cell[64];
    int t = threadIdx.x;
    cell[t] = in[t];
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (t < s)
            cell[t] += cell[t + s];
        __syncthreads();
    }
    if (t == 0) {
        int sum = 0;
        for (int k = 0; k < blockDim.x; k++)
            sum += in[k];
        assert(cell[0] == sum);
        out[blockIdx.x] = cell[0];
    }
}
