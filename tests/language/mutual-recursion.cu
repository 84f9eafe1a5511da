// gridlock: verdict = passed
// gridlock: grid = 1
// gridlock: block = 8
// gridlock: recursion = 9
// gridlock: why = two functions that call each other, each with names of its own at every depth

__device__ bool is_odd(int n);

__device__ bool is_even(int n)
{
    int m = n;
    if (m == 0)
        return true;
    bool before = is_odd(m - 1);
    return before && m == n;
}

__device__ bool is_odd(int n)
{
    int m = n;
    if (m == 0)
        return false;
    bool before = is_even(m - 1);
    return before && m == n;
}

__global__ void parity(int *a)
{
    int i = threadIdx.x;
    a[i] = is_even(i) ? 0 : 1;
    assert(a[i] == i % 2);
}
