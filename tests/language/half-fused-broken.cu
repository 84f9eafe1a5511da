// gridlock: verdict = refuted
// gridlock: kind = assertion
// gridlock: block = 32
// gridlock: extent = a=32
// gridlock: extent = b=32
// gridlock: contents = a=range:15360:1
// gridlock: why = what is rounded twice is taken for what a fused operation gives

#include <cuda_fp16.h>
#include <cuda_bf16.h>

__global__ void fused(const __half *a, __half2 *b)
{
    int t = threadIdx.x;
    // 1025 / 1024 squared, less what it is rounded to.
    __half x = __ushort_as_half(0x3c01);
    assert(__hadd(x * x, -__half(x * x)) == __float2half(1.0f / 1048576.0f));
    // Beside the middle of two numbers by less than a float holds.
    assert(__double2half(1.0 + 1.0 / 2048 + 1e-12) == x && __double2half(1.0 + 1.0 / 2048) == __half(1));
    assert(__int2bfloat16_rn(16842753) == __ushort_as_bfloat16(0x4b81));
    assert(__hadd_sat(x, x) == __half(1) && __float2half_rd(-70000.0f) == -CUDART_INF_FP16);
    b[t] = __hfma2(__half2half2(a[t]), __half2(x, x), __floats2half2_rn(0.5f, -0.5f));
    b[t] += __half2(x, x);
}
