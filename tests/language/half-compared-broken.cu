// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: kind = assertion
// gridlock: block = 64
// gridlock: extent = a=64
// gridlock: extent = largest=1
// gridlock: why = halves are compared while another step changes them

#include <cuda_fp16.h>

__global__ void maximum(const __half *a, __half *largest)
{
    __shared__ __half s[64];
    int t = threadIdx.x;
    __half one = __float2half(1.0f), two = __float2half(2.0f), none = CUDART_NAN_FP16;
    assert(one < two && !(two <= one) && one != two && none != none && !(none == none));
    // Pairs differ where both of their numbers do.
    assert(!(__half2(one, two) != __half2(one, one)) && __half2(one, two) != __half2(two, one));
    assert(__hbgt2(__half2(two, two), __half2(one, one)) && __heq2_mask(__half2(one, two), __half2(one, one)) == 0xffffu);
    s[t] = a[t] != a[t] ? __half(0) : a[t];
    __syncthreads();
    for (int d = 32; d > 0; d /= 2) {
        if (t < d && s[t] < s[t + d])
            s[t] = s[t + d];
    }
    if (t == 0)
        *largest = s[0];
    assert(s[0] >= s[t]);
}
