// gridlock: verdict = refuted
// gridlock: kind = undefined-arithmetic
// gridlock: block = 32
// gridlock: extent = a=32
// gridlock: why = a cast of what is out of range has no defined value, unlike the conversion that CUDA names

#include <cuda_fp16.h>
#include <cuda_bf16.h>

__global__ void to_integers(int *a)
{
    int i = threadIdx.x;
    __half large = __float2half(INFINITY), small = __float2half(-300.0f), none = __ushort_as_half(0x7fff);
    assert(__half2int_rn(large) == 2147483647 && __half2int_rz(__hneg(large)) == -2147483647 - 1);
    assert(__half2uint_rn(small) == 0 && __half2char_rz(small) == -128 && __half2uchar_rz(small) == 0);
    assert(__half2int_rn(none) == 0 && __half2ll_rn(none) == -9223372036854775807ll - 1);
    assert(__half2int_rn(__float2half(2.5f)) == 2 && __half2int_ru(__float2half(2.25f)) == 3);
    assert(__half2short_rd(__float2half(-2.25f)) == -3 && __half2short_rz(large) == 32767);
    assert(__bfloat162int_rn(__float2bfloat16(3e10f)) == 2147483647);
    assert(__float2int_rn(NAN) == 0 && __float2ll_rz(NAN) == -9223372036854775807ll - 1);
    assert(__double2int_rn((double)NAN) == -2147483647 - 1 && __float2ull_rn(NAN) == 9223372036854775808ull);
    a[i] = (int)__half2float(large); // <-- guilty
}
