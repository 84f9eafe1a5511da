// gridlock: verdict = refuted
// gridlock: kind = assertion
// gridlock: grid = 2
// gridlock: block = 4
// gridlock: arg = n=6
// gridlock: few-grid = 1
// gridlock: few-block = 2
// gridlock: few-arg = n=1
// gridlock: why = without the guard the assertion fails in the last two threads

#include <assert.h>

__global__ void checked(int *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    assert(i < n); // <-- guilty
    a[i] = i;
}
