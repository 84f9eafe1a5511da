// Message passing: P pairs of a producer and a consumer, a block each, R messages, a flag for "here
// it is" and one for "taken". -DBUG: the producer raises the flag before it writes the message.
#include <cassert>

#ifndef P
#define P 1
#endif
#ifndef R
#define R 4
#endif

__device__ int data[P];
__device__ int flag[P];
__device__ int taken[P];

__global__ void message()
{
    int p = blockIdx.x % P;
    if (blockIdx.x < P) {
        for (int k = 0; k < R; k++) {
#ifdef BUG
            atomicExch(&flag[p], 1);
            data[p] = k + 1;
#else
            data[p] = k + 1;
            __threadfence();
            atomicExch(&flag[p], 1);
#endif
            __threadfence();
            while (atomicAdd(&taken[p], 0) != 1) {
            }
            atomicExch(&taken[p], 0);
            __threadfence();
        }
    } else {
        for (int k = 0; k < R; k++) {
            while (atomicAdd(&flag[p], 0) != 1) {
            }
            __threadfence();
            assert(data[p] == k + 1);
            atomicExch(&flag[p], 0);
            __threadfence();
            atomicExch(&taken[p], 1);
            __threadfence();
        }
    }
}
