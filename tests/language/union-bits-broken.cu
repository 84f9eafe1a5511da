// gridlock: verdict = refuted
// gridlock: kind = assertion
// gridlock: block = 32
// gridlock: why = the mask keeps the sign

#include <assert.h>

__global__ void absolute(float *a)
{
    union {
        float value;
        unsigned int bits;
    } both;
    both.value = a[threadIdx.x] - 1.0f;
    both.bits &= 0xff7fffff;
    assert(!(both.value < 0.0f)); // <-- guilty
    a[threadIdx.x] = both.value;
}
