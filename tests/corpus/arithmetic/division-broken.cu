// gridlock: verdict = refuted
// gridlock: kind = division-by-zero
// gridlock: block = 4
// gridlock: arg = n=0
// gridlock: why = nothing keeps the divisor from being zero

__global__ void average(const int *sums, int *out, int n)
{
    int t = threadIdx.x;
    out[t] = sums[t] / n; // <-- guilty
}
