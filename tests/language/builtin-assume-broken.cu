// gridlock: verdict = refuted
// gridlock: kind = assertion
// gridlock: block = 8
// gridlock: arg = n=8
// gridlock: extent = a=n
// gridlock: why = thread 7 is none of those the compiler is told of: the behaviour is undefined

__global__ void fill(int *a, int n)
{
    __builtin_assume(n % 4 == 0);
    int t = threadIdx.x;
    __builtin_assume(t < n - 1); // <-- guilty
    if (__builtin_expect(t < 8, 1))
        a[t] = t;
    else
        __builtin_unreachable();
}
