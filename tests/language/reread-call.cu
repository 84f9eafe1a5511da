// gridlock: verdict = passed
// gridlock: block = 1
// gridlock: why = the number is what it was before the call changed the variable; the arrays that the call is the first to name stay apart from those named later

#include <assert.h>

__device__ int first[4];
__device__ int second[4];

__global__ void call(int n)
{
    int x = 3;
    auto change = [](int &r, int v) {
        first[1] = 7;
        r = 9;
        first[2] = v;
        return first[1] + v;
    };
    int sum = change(x, x);
    second[1] = 20;
    second[2] = 30;
    assert(sum == 10 && x == 9 && first[1] == 7 && first[2] == 3);
}
