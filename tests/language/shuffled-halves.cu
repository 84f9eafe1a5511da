// gridlock: verdict = passed
// gridlock: block = 32
// gridlock: extent = a=32
// gridlock: extent = sum=1
// gridlock: contents = a=range:15360:1
// gridlock: why = pairs of halves, members of a struct of 16 bytes, are exchanged in a warp as their bits

#include <cuda_bf16.h>
#include <cuda_fp16.h>

struct alignas(16) Eight {
    __half2 pair[4];
};

__global__ void summed(const __half2 *a, __half2 *sum)
{
    Eight own;
    for (int k = 0; k < 4; k++)
        own.pair[k] = a[(threadIdx.x + k) % 32];
    __half2 x = __hadd2(own.pair[0], own.pair[3]);
    __nv_bfloat16 lane = __int2bfloat16_rn((int)threadIdx.x);
    for (int d = 16; d > 0; d /= 2) {
        x += __shfl_xor_sync(0xffffffff, x, d);
        lane = __hmax(lane, __shfl_down_sync(0xffffffff, lane, d));
    }
    assert(threadIdx.x != 0 || lane == __nv_bfloat16(31));
    if (threadIdx.x == 0)
        *sum = x;
}
