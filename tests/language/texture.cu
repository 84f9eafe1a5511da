// gridlock: verdict = passed
// gridlock: grid = 2
// gridlock: block = 16
// gridlock: why = one element of a texture is the same to all who read it

#include <assert.h>

texture<int, 1, cudaReadModeElementType> table;

__global__ void look(int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int left = tex1Dfetch(table, i - 1);
    assert(left == tex1Dfetch(table, i - 1));
    out[i] = left + tex1Dfetch(table, i);
}
