// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: block = 32
// gridlock: extent = in=32
// gridlock: extent = out=32
// gridlock: extent = scale=1
// gridlock: why = the largest of 32 numbers says their power of two, which every thread writes, of its own numbers

#include <cuda_fp8.h>

__global__ void scaled(const float *in, __nv_fp8_e4m3 *out, __nv_fp8_e8m0 *scale)
{
    assert((float)__nv_fp8_e8m0(5.0f) == 8.0f && (float)__nv_fp8_e8m0(-0.25f) == 0.25f && sizeof(__nv_fp8x4_e8m0) == 4);
    assert(__nv_cvt_float_to_e8m0(5.0f, __NV_SATFINITE, cudaRoundZero) == 129);
    float largest = fabsf(in[threadIdx.x]);
    __nv_fp8_e8m0 factor(largest / 448.0f);
    *scale = factor; // <-- guilty
    out[threadIdx.x] = __nv_fp8_e4m3(in[threadIdx.x] / (float)factor);
}
