// gridlock: verdict = refuted
// gridlock: kind = barrier-divergence
// gridlock: grid = 2
// gridlock: block = 2
// gridlock: why = block 1 never comes to the barrier of the grid

#include <cooperative_groups.h>

__global__ void meet(int *out)
{
    out[blockIdx.x * 2 + threadIdx.x] = 1;
    if (blockIdx.x == 0)
        cooperative_groups::this_grid().sync(); // <-- guilty
}
