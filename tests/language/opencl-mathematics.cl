// gridlock: verdict = passed
// gridlock: profile = opencl
// gridlock: grid = 1
// gridlock: block = 4
// gridlock: why = functions of numbers and of vectors, at operands where the result is exact

kernel void exact(global int *out, global float4 *lengths)
{
    float4 v = (float4)(1.0f, 2.0f, 3.0f, 4.0f);
    __assert(dot(v, v) == 30.0f & mad(2.0f, 3.0f, 4.0f) == 10.0f);
    __assert(length((float2)(3.0f, 4.0f)) == 5.0f);
    float3 z = cross((float3)(1.0f, 0.0f, 0.0f), (float3)(0.0f, 1.0f, 0.0f));
    __assert(z.x == 0.0f & z.y == 0.0f & z.z == 1.0f);
    __assert(rsqrt(4.0f) == 0.5f & native_recip(4.0f) == 0.25f & sign(-3.0f) == -1.0f);
    __assert(mix(1.0f, 3.0f, 0.5f) == 2.0f & step(1.0f, 0.5f) == 0.0f);
    float whole;
    float part = fract(-1.25f, &whole);
    __assert(part == 0.75f & whole == -2.0f);
    __assert(add_sat((char)100, (char)100) == 127 & sub_sat((uchar)3, (uchar)5) == 0);
    __assert(add_sat(INT_MAX, 1) == INT_MAX & sub_sat(LONG_MIN, 1L) == LONG_MIN);
    __assert(add_sat(ULONG_MAX, 7UL) == ULONG_MAX & sub_sat(5L, 7L) == -2L);
    __assert(hadd(7u, 4u) == 5u & rhadd(7u, 4u) == 6u & mul_hi(1 << 20, 1 << 20) == 256);
    __assert(abs_diff(-3, 4) == 7u & bitselect(12, 3, 5) == 9 & ctz(40) == 3);
    __assert(convert_uchar_sat(300.7f) == 255 & convert_int_rtn(-1.5f) == -2);
    int4 w = shuffle((int4)(10, 11, 12, 13), (uint4)(3, 2, 1, 4));
    __assert(w.s0 == 13 & w.s1 == 12 & w.s2 == 11 & w.s3 == 10);
    __assert(isnan(0.0f) == 0 & isless(1.0f, 2.0f) == 1);
    int i = get_global_id(0);
    out[i] = shuffle2((int2)(5, 6), (int2)(7, 8), (uint2)(i, 3)).s0;
    lengths[i] = native_exp(v) + normalize(v);
    lengths[i].xz = lengths[i].zx + pown(v.xy, (int2)(2, 3));
}
