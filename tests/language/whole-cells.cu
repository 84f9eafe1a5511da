// gridlock: verdict = proved
// gridlock: block = 16
// gridlock: grid = 1
// gridlock: why = every other byte of four begins an integer

__global__ void third(int *out)
{
    __shared__ int s[16];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = *(int *)((char *)s + 2 * (threadIdx.x & ~1u));
}
