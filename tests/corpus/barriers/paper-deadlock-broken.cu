// gridlock: verdict = refuted
// gridlock: kind = deadlock
// gridlock: profile = paper
// gridlock: block = 2
// gridlock: arg = n=1
// gridlock: why = in the model of 2011 a thread that has returned still counts, so the other waits forever

__global__ void pair_up(int *a, int n)
{
    int t = threadIdx.x;
    if (t >= n)
        return;
    a[t] = t;
    __syncthreads();
}
