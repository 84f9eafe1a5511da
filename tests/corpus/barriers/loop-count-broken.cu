// gridlock: verdict = refuted
// gridlock: kind = barrier-divergence
// gridlock: block = 8
// gridlock: arg = n=3
// gridlock: few-block = 2
// gridlock: few-arg = n=1
// gridlock: why = the number of turns, and so of barriers met, depends on the thread

__global__ void rounds(int *a, int n)
{
    int t = threadIdx.x;
    for (int k = 0; k < n + t % 2; k++) {
        a[t] += k;
        __syncthreads(); // <-- guilty
    }
}
