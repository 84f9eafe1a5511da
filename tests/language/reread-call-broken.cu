// gridlock: verdict = refuted
// gridlock: kind = assertion
// gridlock: block = 1
// gridlock: why = the number is not what the call made of the variable

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
    assert(sum == 10 && x == 9 && first[1] == 7 && first[2] == 9); // <-- guilty
}
