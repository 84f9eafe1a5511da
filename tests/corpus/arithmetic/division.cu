// gridlock: verdict = passed
// gridlock: block = 4
// gridlock: arg = n=0
// gridlock: why = the division is not made when the divisor is zero

__global__ void average(const int *sums, int *out, int n)
{
    int t = threadIdx.x;
    out[t] = n > 0 ? sums[t] / n : 0;
}
