// gridlock: verdict = refuted
// gridlock: kind = uninitialised-read, data-race
// gridlock: grid = 1
// gridlock: block = 64
// gridlock: extent = in=64
// gridlock: extent = out=64
// gridlock: contents = in=range:0:1
// gridlock: why = a wait is for the copies of the thread itself

#include <cuda/pipeline>

__global__ void turned(const int *in, int *out)
{
    __shared__ int s[64];
    cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
    pipe.producer_acquire();
    cuda::memcpy_async(&s[threadIdx.x], &in[threadIdx.x], sizeof(int), pipe);
    pipe.producer_commit();
    pipe.consumer_wait();
    int other = s[63 - threadIdx.x]; // <-- guilty
    pipe.consumer_release();
    out[threadIdx.x] = other;
    assert(other == 63 - threadIdx.x);
}
