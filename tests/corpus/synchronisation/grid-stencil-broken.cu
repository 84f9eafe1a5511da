// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: grid = 3
// gridlock: block = 4
// gridlock: arg = n=12
// gridlock: why = a barrier of the block says nothing of other blocks

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void stencil(const int *in, int *between, int *out, int n)
{
    cg::thread_block block = cg::this_thread_block();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        between[i] = 2 * in[i]; // <-- guilty
    block.sync();
    if (i > 0 && i < n)
        out[i] = between[i - 1] + between[i];
}
