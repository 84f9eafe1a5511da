// gridlock: verdict = passed
// gridlock: grid = 2
// gridlock: block = 4
// gridlock: arg = n=6
// gridlock: few-grid = 1
// gridlock: few-block = 2
// gridlock: few-arg = n=1
// gridlock: why = the guard makes the assertion true

#include <assert.h>

__global__ void checked(int *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    assert(i < n);
    a[i] = i;
}
