// gridlock: verdict = passed
// gridlock: grid = 2
// gridlock: block = 2
// gridlock: why = every thread of the launch comes to the barrier of the grid

#include <cooperative_groups.h>

__global__ void meet(int *out)
{
    out[blockIdx.x * 2 + threadIdx.x] = 1;
    cooperative_groups::this_grid().sync();
}
