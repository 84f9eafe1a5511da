// gridlock: verdict = passed
// gridlock: grid = 1
// gridlock: block = 8
// gridlock: arg = n=4
// gridlock: extent = in=32
// gridlock: extent = out=8
// gridlock: contents = in=range:0:1
// gridlock: why = who waits for a stage sees what all have put into it, and a stage is filled again when all have left it

#include <cuda/pipeline>
#include <cooperative_groups.h>

__global__ void sums(const int *in, int *out, int n)
{
    __shared__ int s[2][8];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cooperative_groups::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    pipe.producer_acquire();
    cuda::memcpy_async(block, s[0], in, sizeof(int) * 8, pipe);
    pipe.producer_commit();
    int sum = 0;
    for (int i = 0; i < n; i++) {
        if (i + 1 < n) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, s[(i + 1) % 2], in + (i + 1) * 8, sizeof(int) * 8, pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        sum += s[i % 2][7 - threadIdx.x];
        pipe.consumer_release();
    }
    out[threadIdx.x] = sum;
    assert(sum == 6 * 8 + 4 * (7 - threadIdx.x));
}
