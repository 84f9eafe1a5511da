// N blocks, each with a partial sum of two elements; the block that finishes last adds them up.
// -DBUG: the last but one does.
#include <cassert>

#ifndef N
#define N 4
#endif
#ifdef BUG
#define MISSING 1
#else
#define MISSING 0
#endif

#define ONES4 1, 1, 1, 1
// N is even and at most 12.
__device__ int in[2 * N] = {
#if N >= 2
    ONES4,
#endif
#if N >= 4
    ONES4,
#endif
#if N >= 6
    ONES4,
#endif
#if N >= 8
    ONES4,
#endif
#if N >= 10
    ONES4,
#endif
#if N >= 12
    ONES4,
#endif
};
__device__ int partial[N];
__device__ int finished;

__global__ void lastblock()
{
    int b = blockIdx.x;
    partial[b] = in[2 * b] + in[2 * b + 1];
    __threadfence();
    if (atomicAdd(&finished, 1) == N - 1 - MISSING) {
        __threadfence();
        int sum = 0;
        for (int i = 0; i < N; i++)
            sum += partial[i];
        assert(sum == 2 * N);
    }
}
