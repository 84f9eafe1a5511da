// gridlock: verdict = refuted
// gridlock: kind = assertion
// gridlock: grid = 1
// gridlock: block = 64
// gridlock: extent = in=128
// gridlock: extent = out=64
// gridlock: why = two copies to one cell are under way, in no order

#include <cuda_pipeline.h>

__global__ void k(int *out, int *in)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], sizeof(int));
    __pipeline_commit();
    __pipeline_memcpy_async(&s[t], &in[t + 64], sizeof(int)); // <-- guilty
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[t] = s[t];
}
