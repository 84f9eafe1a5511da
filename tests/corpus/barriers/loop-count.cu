// gridlock: verdict = passed
// gridlock: block = 8
// gridlock: arg = n=3
// gridlock: few-block = 2
// gridlock: few-arg = n=1
// gridlock: why = all threads make the same number of turns

__global__ void rounds(int *a, int n)
{
    int t = threadIdx.x;
    for (int k = 0; k < n; k++) {
        a[t] += k;
        __syncthreads();
    }
}
