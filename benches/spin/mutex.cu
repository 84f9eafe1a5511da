// Mutual exclusion by compare-and-swap: N threads, K critical sections each, a block each (in a
// warp such a lock need not come free).
// -DBUG: looking at the lock and taking it are two steps.
#include <cassert>

#ifndef N
#define N 3
#endif
#ifndef K
#define K 2
#endif

__device__ int lock;
__device__ int counter;

__global__ void mutex()
{
    for (int k = 0; k < K; k++) {
#ifdef BUG
        while (atomicAdd(&lock, 0) != 0) {
        }
        atomicExch(&lock, 1);
#else
        while (atomicCAS(&lock, 0, 1) != 0) {
        }
#endif
        __threadfence();
        int v = counter;
        counter = v + 1;
        assert(counter == v + 1);
        __threadfence();
        atomicExch(&lock, 0);
    }
}
