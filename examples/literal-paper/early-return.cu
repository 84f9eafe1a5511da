// The usual guard: threads beyond the end return before the barrier.

__global__ void guarded(int *out, int n)
{
    int t = threadIdx.x;
    if (t >= n)
        return;
    __syncthreads();
    out[t] = t;
}
