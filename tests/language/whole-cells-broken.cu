// gridlock: verdict = refuted
// gridlock: kind = misaligned-access
// gridlock: block = 16
// gridlock: grid = 1
// gridlock: why = two bytes a thread: those of odd numbers read an integer from the middle of one

__global__ void third(int *out)
{
    __shared__ int s[16];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = *(int *)((char *)s + 2 * threadIdx.x);
}
