// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: block = 32
// gridlock: extent = a=32
// gridlock: contents = a=range:1:1
// gridlock: why = numbers of 16 bits are memory like others: a thread reads what its neighbour changes

#include <cuda_fp16.h>
#include <cuda_bf16.h>

__global__ void halves(__half *a, float scale)
{
    int i = threadIdx.x;
    assert(__half2float(__float2half(1.5f)) == 1.5f);
    assert(__half_as_ushort(__float2half(1.0f)) == 0x3c00);
    assert(__half2float(__float2half(2049.0f)) == 2048.0f && __half2float(__float2half(2051.0f)) == 2052.0f);
    assert(__half_as_ushort(__float2half(70000.0f)) == 0x7c00 && __half_as_ushort(__float2half(-0.0f)) == 0x8000);
    assert(__half2float(__float2half(ldexpf(3.0f, -24))) == ldexpf(3.0f, -24));
    assert((float)__float2bfloat16(257.0f) == 256.0f && sizeof(__half) == 2);
    a[i] = __hadd(a[i ^ 1], __float2half(scale)) * a[i]; // <-- guilty
}
