// gridlock: verdict = proved
// gridlock: block = 4
// gridlock: why = a quotient that nobody uses is computed, and its divisor is never 0

__global__ void divide(int *out, int n)
{
    int x = threadIdx.x;
    n / (x + 1);
    out[x] = n;
}
