// gridlock: verdict = unknown
// gridlock: kind = limit
// gridlock: grid = 1
// gridlock: block = 16
// gridlock: why = calls nest deeper than they are unfolded, and what is there is not known

__device__ int sum_to(int *a, int n)
{
    if (n < 0)
        return 0;
    return a[n] + sum_to(a, n - 1);
}

__global__ void sums(int *a, int *sum)
{
    sum[threadIdx.x] = sum_to(a, threadIdx.x);
}
