// Ticket lock: N threads of a block, K critical sections each.
// -DBUG: drawing a ticket is a read and a write.
#include <cassert>

#ifndef N
#define N 3
#endif
#ifndef K
#define K 3
#endif

__device__ int next;
__device__ int serving;
__device__ int counter;

__global__ void ticket()
{
    for (int k = 0; k < K; k++) {
#ifdef BUG
        int my = atomicAdd(&next, 0);
        atomicExch(&next, my + 1);
#else
        int my = atomicAdd(&next, 1);
#endif
        __threadfence();
        while (atomicAdd(&serving, 0) != my) {
        }
        __threadfence();
        int v = counter;
        assert(v == my);
        counter = v + 1;
        __threadfence();
        atomicExch(&serving, my + 1);
        __threadfence();
    }
}
