// gridlock: verdict = passed
// gridlock: grid = 2
// gridlock: block = 64
// gridlock: extent = in=128
// gridlock: extent = out=128
// gridlock: contents = in=range:0:1
// gridlock: why = the whole block waits for its copy

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;

__global__ void turned(const int *in, int *out)
{
    __shared__ int s[64];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, s, in + blockIdx.x * 64, sizeof(int) * 64);
    cg::wait(block);
    out[blockIdx.x * 64 + threadIdx.x] = s[63 - threadIdx.x];
    assert(s[63 - threadIdx.x] == blockIdx.x * 64 + 63 - threadIdx.x);
}
