// gridlock: verdict = passed
// gridlock: block = 32
// gridlock: extent = a=32
// gridlock: extent = b=32
// gridlock: extent = sums=32
// gridlock: why = atomic additions of half give what the plain addition gives, each number of a pair by itself

#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void k(const __half *a, const __nv_bfloat16 *b, __half2 *sums)
{
    __shared__ __half own[32];
    int t = threadIdx.x;
    __half2 old = sums[t];
    __half2 was = atomicAdd(&sums[t], __halves2half2(a[t], a[31 - t]));
    assert(__half_as_ushort(was.x) == __half_as_ushort(old.x));
    assert(__half_as_ushort(was.y) == __half_as_ushort(old.y));
    assert(__half_as_ushort(sums[t].x) == __half_as_ushort(__hadd(old.x, a[t])));
    assert(__half_as_ushort(sums[t].y) == __half_as_ushort(__hadd(old.y, a[31 - t])));
    own[t] = a[t];
    atomicAdd(&own[t], a[t]);
    assert(__half_as_ushort(own[t]) == __half_as_ushort(__hadd(a[t], a[t])));
    __shared__ __nv_bfloat16 sum[32];
    sum[t] = b[t];
    atomicAdd(&sum[t], b[31 - t]);
    assert(__bfloat16_as_ushort(sum[t]) == __bfloat16_as_ushort(__hadd(b[t], b[31 - t])));
}
