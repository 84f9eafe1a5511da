// gridlock: verdict = passed
// gridlock: grid = 1
// gridlock: block = 32
// gridlock: extent = key=4
// gridlock: why = the step does not run after the break, so that the two counts differ by one there

#include <assert.h>

__global__ void found(const int *key)
{
    __shared__ int s[96];
    int c = 0, d = 0;
    for (int i = 0; i < 4; i++, c++) {
        d++;
        if (key[i] < 0)
            break;
    }
    s[threadIdx.x * (2 + c - d)] = 1;
    int pos = 0;
    for (int i = 0; i < 10; i++, pos++)
        if (i == 4)
            break;
    assert(pos == 4);
}
