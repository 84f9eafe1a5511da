// gridlock: verdict = passed
// gridlock: grid = 2
// gridlock: block = 8
// gridlock: why = a barrier that counts is a barrier, and all threads learn one number

__global__ void flip(const int *in, int *out)
{
    __shared__ int cells[8];
    int i = threadIdx.x;
    cells[i] = in[i];
    int n_even = __syncthreads_count(i % 2 == 0);
    out[blockIdx.x * 8 + i] = cells[7 - i];
    assert(n_even == 4);
    assert(__syncthreads_or(i == 3) && !__syncthreads_and(i == 3));
}
