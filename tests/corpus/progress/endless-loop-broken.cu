// gridlock: verdict = refuted
// gridlock: kind = livelock
// gridlock: block = 2
// gridlock: arg = n=0
// gridlock: why = halving 0 never gives 1, so that the loop never ends

__global__ void logarithm(int *out, int n)
{
    int steps = 0;
    while (n != 1) { // <-- guilty
        n /= 2;
        steps = n > 1;
    }
    out[threadIdx.x] = steps;
}
