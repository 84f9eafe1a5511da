// gridlock: verdict = passed
// gridlock: profile = paper
// gridlock: block = 2
// gridlock: arg = n=1
// gridlock: why = both threads come to the barrier

__global__ void pair_up(int *a, int n)
{
    int t = threadIdx.x;
    if (t < n)
        a[t] = t;
    __syncthreads();
}
