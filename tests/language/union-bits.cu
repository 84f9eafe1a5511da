// gridlock: verdict = passed
// gridlock: block = 32
// gridlock: why = a float and its bits are one place of a union

#include <assert.h>

__global__ void absolute(float *a)
{
    union {
        float value;
        unsigned int bits;
    } both;
    both.value = a[threadIdx.x];
    both.bits &= 0x7fffffff;
    assert(!(both.value < 0.0f));
    a[threadIdx.x] = both.value;
}
