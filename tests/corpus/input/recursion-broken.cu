// gridlock: verdict = error
// gridlock: kind = unsupported
// gridlock: block = 8
// gridlock: why = recursion that gives a reference is not supported

__device__ int &power(int *powers, int n)
{
    if (n == 0)
        return *powers;
    return power(powers + 1, n - 1);
}

__global__ void powers(int *out)
{
    power(out, threadIdx.x) = 1;
}
