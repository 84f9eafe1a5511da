// gridlock: verdict = passed
// gridlock: grid = 1
// gridlock: block = 64
// gridlock: extent = in=128
// gridlock: extent = out=64
// gridlock: why = the group is closed before it is waited for

#include <cuda_pipeline.h>

__global__ void k(int *out, int *in)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[t] = s[t];
}
