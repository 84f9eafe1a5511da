// gridlock: verdict = passed
// gridlock: block = 2
// gridlock: arg = n=0
// gridlock: why = the loop also ends when there is nothing to halve

__global__ void logarithm(int *out, int n)
{
    int steps = 0;
    while (n > 1) {
        n /= 2;
        steps = n > 1;
    }
    out[threadIdx.x] = steps;
}
