// gridlock: verdict = refuted
// gridlock: kind = uninitialised-read
// gridlock: grid = 1
// gridlock: block = 16
// gridlock: extent = in=16
// gridlock: extent = out=16
// gridlock: contents = in=range:0:1
// gridlock: why = what others wrote is read before the wait

#include <cuda/barrier>
#include <utility>

__global__ void turned(const int *in, int *out)
{
    using barrier = cuda::barrier<cuda::thread_scope_block>;
    __shared__ int s[16];
    __shared__ barrier bar;
    if (threadIdx.x == 0)
        init(&bar, blockDim.x);
    __syncthreads();
    for (int round = 0; round < 3; round++) {
        s[threadIdx.x] = in[threadIdx.x] + round;
        barrier::arrival_token token = bar.arrive();
        int first = s[15 - threadIdx.x]; // <-- guilty
        bar.wait(std::move(token));
        out[threadIdx.x] = s[15 - threadIdx.x] + first;
        assert(out[threadIdx.x] == 15 - threadIdx.x + round);
        bar.wait(bar.arrive());
    }
}
