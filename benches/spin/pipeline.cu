// A pipeline of N stages, a block each, that hand on R messages through slots of one place.
// -DBUG: a stage says that a slot is empty before it has read it.
#include <cassert>

#ifndef N
#define N 4
#endif
#ifndef R
#define R 3
#endif

// Slot i leads from stage i to stage i + 1.
__device__ int data[N];
__device__ int busy[N];

__global__ void pipeline()
{
    int stage = blockIdx.x;
    for (int k = 0; k < R; k++) {
        int v = k + 1;
        if (stage > 0) {
            while (atomicAdd(&busy[stage - 1], 0) != 1) {
            }
            __threadfence();
#ifdef BUG
            atomicExch(&busy[stage - 1], 0);
#endif
            v = data[stage - 1];
            if (stage == N - 1)
                assert(v == k + 1);
#ifndef BUG
            __threadfence();
            atomicExch(&busy[stage - 1], 0);
            __threadfence();
#endif
        }
        if (stage < N - 1) {
            while (atomicAdd(&busy[stage], 0) != 0) {
            }
            __threadfence();
            data[stage] = v;
            __threadfence();
            atomicExch(&busy[stage], 1);
            __threadfence();
        }
    }
}
