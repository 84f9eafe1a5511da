// gridlock: verdict = refuted
// gridlock: kind = uninitialised-read
// gridlock: grid = 1
// gridlock: block = 64
// gridlock: extent = in=64
// gridlock: extent = out=64
// gridlock: contents = in=range:0:1
// gridlock: why = another barrier waits for no copy of this one

#include <cuda/barrier>

__global__ void turned(const int *in, int *out)
{
    __shared__ int s[64];
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    if (threadIdx.x == 0)
        init(&bar, blockDim.x);
    __syncthreads();
    cuda::memcpy_async(&s[threadIdx.x], &in[threadIdx.x], sizeof(int), bar);
    __syncthreads();
    out[threadIdx.x] = s[63 - threadIdx.x]; // <-- guilty
    assert(out[threadIdx.x] == 63 - threadIdx.x);
}
