// gridlock: verdict = passed
// gridlock: block = 8
// gridlock: arg = n=8
// gridlock: extent = a=n
// gridlock: why = what the compiler is told holds, and what it is told is never reached is not

__global__ void fill(int *a, int n)
{
    __builtin_assume(n % 4 == 0);
    int t = threadIdx.x;
    __builtin_assume(t < n);
    if (__builtin_expect(t < 8, 1))
        a[t] = t;
    else
        __builtin_unreachable();
}
