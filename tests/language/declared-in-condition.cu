// gridlock: verdict = passed
// gridlock: block = 4
// gridlock: contents = a=range:0:1
// gridlock: extent = a=8
// gridlock: why = each declaration in a condition is made anew, and its name ends with the statement

#include <assert.h>

__device__ int halves(int n)
{
    int count = 0;
    while (int half = n / 2) {
        n = half;
        if (half == 5)
            continue;
        count++;
    }
    return count;
}

__global__ void declared(int *a)
{
    int t = threadIdx.x, x = 100;
    if (int x = a[t])
        assert(x == t);
    else
        assert(x == 0 && t == 0);
    assert(x == 100);
    if (int x = t + 1; x > 2)
        assert(t > 1);
    else if (int y = x; y == 2)
        assert(t == 1 && x == y);
    else
        assert(t == 0);
    // 20, 10, 5, 2, 1: the 5 is not counted.
    assert(halves(20) == 3);
    int sum = 0, n = 5;
    for (; int left = n; n--) {
        if (left == 2)
            break;
        if (left == 4)
            continue;
        sum += left;
    }
    assert(sum == 5 + 3 && n == 2);
    switch (int kind = t % 2; kind + 1) {
    case 1:
        assert(kind == 0);
        break;
    default:
        assert(kind == 1);
    }
    switch (int kind = t) {
    case 3:
        a[kind] = 7;
        break;
    default:
        a[kind] = x;
    }
    assert(a[t] == (t == 3 ? 7 : 100));
}
