// gridlock: verdict = passed
// gridlock: kernel = masked
// gridlock: grid = 2
// gridlock: block = 8
// gridlock: arg = mask = 0
// gridlock: why = there is no mask, and the kernel asks

__global__ void masked(int *a, const int *mask, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = mask ? mask[i] : 1;
}
