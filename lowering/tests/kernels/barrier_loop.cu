// PoCL 3.1's optimiser drops the conditional sum: tests/findings/pocl-3.1-barrier-loop.

__global__ void count_divisors(int *out)
{
    int t = threadIdx.x;
    out[t] = 0;
    __syncthreads();
    for (int s = 1; s < blockDim.x; s *= 2) {
        if (t % (2 * s) == 0)
            out[t] += 1;
        __syncthreads();
    }
}
