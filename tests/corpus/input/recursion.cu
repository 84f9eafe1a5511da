// gridlock: verdict = passed
// gridlock: block = 8
// gridlock: few-block = 2
// gridlock: why = a loop instead of recursion

__device__ int power(int base, int n)
{
    int result = 1;
    for (int k = 0; k < n; k++)
        result *= base;
    return result;
}

__global__ void powers(int *out)
{
    out[threadIdx.x] = power(2, threadIdx.x);
}
