// gridlock: verdict = proved
// gridlock: grid = 1
// gridlock: block = 8
// gridlock: why = calls whose depth is a constant are unfolded to their end

__device__ int halves(int *a, int from, int n)
{
    if (n == 1)
        return a[from];
    return halves(a, from, n / 2) + halves(a, from + n / 2, n / 2);
}

__global__ void sums(int *a, int *sum)
{
    sum[threadIdx.x] = halves(a, threadIdx.x * 8, 8);
}
