// gridlock: verdict = passed
// gridlock: block = 32
// gridlock: why = the sign of a float is the top bit of its cell seen as an integer

#include <assert.h>

__global__ void negate(float *a, int *bits)
{
    int t = threadIdx.x;
    int before = __float_as_int(a[t]);
    ((int *)a)[t] ^= 0x80000000;
    bits[t] = before;
    assert((*(int *)&a[t] ^ before) == 0x80000000);
}
