// gridlock: verdict = refuted
// gridlock: kind = uninitialised-read
// gridlock: grid = 1
// gridlock: block = 64
// gridlock: arg = n=4
// gridlock: extent = in=256
// gridlock: extent = out=64
// gridlock: contents = in=range:0:1
// gridlock: why = two groups may be under way at the wait, and the one that is read is the second

#include <cuda_pipeline.h>

__global__ void sums(const int *in, int *out, int n)
{
    __shared__ int stage[2][64];
    int t = threadIdx.x, sum = 0;
    __pipeline_memcpy_async(&stage[0][t], &in[t], sizeof(int));
    __pipeline_commit();
    for (int i = 0; i < n; i++) {
        if (i + 1 < n)
            __pipeline_memcpy_async(&stage[(i + 1) % 2][t], &in[(i + 1) * 64 + t], sizeof(int));
        __pipeline_commit();
        __pipeline_wait_prior(2);
        __syncthreads();
        sum += stage[i % 2][63 - t]; // <-- guilty
        __syncthreads();
    }
    out[t] = sum;
    assert(sum == 6 * 64 + 4 * (63 - t));
}
