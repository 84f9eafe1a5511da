// gridlock: verdict = passed
// gridlock: grid = 1
// gridlock: block = 64
// gridlock: extent = in=64
// gridlock: extent = out=64
// gridlock: contents = in=range:0:1
// gridlock: why = who waits sees its own copies, and behind a barrier those of others

#include <cuda/pipeline>

__global__ void turned(const int *in, int *out)
{
    __shared__ int s[64];
    cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
    pipe.producer_acquire();
    cuda::memcpy_async(&s[threadIdx.x], &in[threadIdx.x], sizeof(int), pipe);
    pipe.producer_commit();
    pipe.consumer_wait();
    __syncthreads();
    int other = s[63 - threadIdx.x];
    pipe.consumer_release();
    out[threadIdx.x] = other;
    assert(other == 63 - threadIdx.x);
}
