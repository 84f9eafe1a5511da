// gridlock: verdict = error
// gridlock: kind = unsupported
// gridlock: block = 8
// gridlock: why = recursion is not supported

__device__ int power(int base, int n)
{
    if (n == 0)
        return 1;
    return base * power(base, n - 1);
}

__global__ void powers(int *out)
{
    out[threadIdx.x] = power(2, threadIdx.x);
}
