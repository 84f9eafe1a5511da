// Tree sum in place of M elements by the N threads of a block (M is N or 2N), a barrier after each
// level. -DBUG: no barrier.
#include <cassert>

#ifndef N
#define N 4
#endif
#ifndef M
#define M N
#endif

__device__ int s[M] = {
#if M == 4
    1, 1, 1, 1
#elif M == 8
    1, 1, 1, 1, 1, 1, 1, 1
#elif M == 16
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1
#elif M == 32
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1
#endif
};

__global__ void treesum()
{
    int t = threadIdx.x;
    for (int h = M / 2; h > 0; h /= 2) {
        if (t < h)
            s[t] = s[t] + s[t + h];
#ifndef BUG
        __syncthreads();
#endif
    }
    if (t == 0)
        assert(s[0] == M);
}
