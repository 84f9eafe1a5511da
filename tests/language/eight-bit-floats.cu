// gridlock: verdict = passed
// gridlock: block = 32
// gridlock: extent = in=128
// gridlock: extent = out=128
// gridlock: extent = scale=1
// gridlock: why = each thread rounds four numbers to 8 bits and stores them as one word of its own

#include <cuda_fp8.h>

__global__ void quantised(const float *in, __nv_fp8_e4m3 *out, const float *scale)
{
    int at = threadIdx.x * 4;
    assert((float)__nv_fp8_e4m3(1000.0f) == 448.0f && (float)__nv_fp8_e5m2(-60000.0f) == -57344.0f);
    assert(__nv_cvt_float_to_fp8(1000.0f, __NV_NOSAT, __NV_E4M3) == 0x7f && sizeof(__nv_fp8x4_e4m3) == 4);
    assert((float)__nv_fp8_e4m3(1.0625f) == 1.0f && (float)__nv_fp8_e4m3(1.1875f) == 1.25f);
    float4 four = make_float4(in[at] * *scale, in[at + 1] * *scale, in[at + 2] * *scale, in[at + 3] * *scale);
    *reinterpret_cast<__nv_fp8x4_e4m3 *>(out + at) = __nv_fp8x4_e4m3(four);
}
