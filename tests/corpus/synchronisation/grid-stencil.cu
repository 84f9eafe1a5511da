// gridlock: verdict = passed
// gridlock: grid = 3
// gridlock: block = 4
// gridlock: arg = n=12
// gridlock: why = all blocks have written before any reads its neighbour's cell

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void stencil(const int *in, int *between, int *out, int n)
{
    cg::grid_group grid = cg::this_grid();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        between[i] = 2 * in[i];
    grid.sync();
    if (i > 0 && i < n)
        out[i] = between[i - 1] + between[i];
}
