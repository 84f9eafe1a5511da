// gridlock: verdict = refuted
// gridlock: kind = null-pointer
// gridlock: kernel = masked
// gridlock: grid = 2
// gridlock: block = 8
// gridlock: arg = mask = 0
// gridlock: why = there is no mask, and the kernel does not ask

__global__ void masked(int *a, const int *mask, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = mask[i]; // <-- guilty
}
