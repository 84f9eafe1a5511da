// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: block = 32
// gridlock: extent = in=128
// gridlock: extent = out=128
// gridlock: extent = scale=1
// gridlock: why = each thread stores two numbers of 8 bits, one of which its neighbour stores as well

#include <cuda_fp8.h>

__global__ void quantised(const float *in, __nv_fp8_e4m3 *out, const float *scale)
{

    assert((float)__nv_fp8_e4m3(1000.0f) == 448.0f && (float)__nv_fp8_e5m2(-60000.0f) == -57344.0f);
    assert(__nv_cvt_float_to_fp8(1000.0f, __NV_NOSAT, __NV_E4M3) == 0x7f && sizeof(__nv_fp8x4_e4m3) == 4);
    assert((float)__nv_fp8_e4m3(1.0625f) == 1.0f && (float)__nv_fp8_e4m3(1.1875f) == 1.25f);
    float2 two = make_float2(in[threadIdx.x] * *scale, in[threadIdx.x + 1] * *scale);
    __nv_fp8x2_e4m3 rounded(two);
    out[threadIdx.x].__x = (unsigned char)rounded.__x;
    out[threadIdx.x + 1].__x = (unsigned char)(rounded.__x >> 8);
}
