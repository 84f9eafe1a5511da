// N blocks, R rounds: each writes its cell, all meet at a barrier that counts arrivals and spins,
// each reads its neighbour's cell. Rounds alternate between two rows of cells.
// -DBUG: the barrier lets go when one block is still missing.
#include <cassert>

#ifndef N
#define N 4
#endif
#ifndef R
#define R 2
#endif
#ifdef BUG
#define MISSING 1
#else
#define MISSING 0
#endif

__device__ int cell[2 * N];
__device__ int arrived;

__global__ void gridbarrier()
{
    int b = blockIdx.x;
    for (int r = 0; r < R; r++) {
        int row = r % 2 * N;
        cell[row + b] = r + 1;
        __threadfence();
        atomicAdd(&arrived, 1);
        while (atomicAdd(&arrived, 0) < N * (r + 1) - MISSING) {
        }
        __threadfence();
        assert(cell[row + (b + 1) % N] == r + 1);
    }
}
