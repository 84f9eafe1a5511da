// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: grid = 1
// gridlock: block = 64
// gridlock: extent = in=128
// gridlock: extent = out=64
// gridlock: why = others write the source between two barriers, while the copy is under way

#include <cuda_pipeline.h>

__global__ void k(int *out, int *in)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], sizeof(int));
    __pipeline_commit();
    __syncthreads();
    in[63 - t] = 0; // <-- guilty
    __syncthreads();
    __pipeline_wait_prior(0);
    out[t] = s[t];
}
