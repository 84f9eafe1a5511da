// gridlock: verdict = refuted
// gridlock: kind = division-by-zero
// gridlock: block = 4
// gridlock: why = a quotient that nobody uses is computed, and the first divisor is 0

__global__ void divide(int *out, int n)
{
    int x = threadIdx.x;
    n / x; // <-- guilty
    out[x] = n;
}
