// gridlock: verdict = passed
// gridlock: grid = 1
// gridlock: block = 32
// gridlock: why = the right side of an assignment comes first: the cell is that of the new value

#include <assert.h>

__global__ void fill()
{
    __shared__ int s[32];
    int i = 0;
    s[i] = i = threadIdx.x;
    int q[4] = {5, 6, 7, 8}, j = 2;
    q[j] = j++;
    assert(q[2] == 7 && q[3] == 2);
    q[j] += --j;
    assert(q[2] == 9 && j == 2);
}
