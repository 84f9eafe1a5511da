// gridlock: verdict = refuted
// gridlock: kind = livelock
// gridlock: block = 2
// gridlock: arg = t=3
// gridlock: why = an unsigned counter is never below 0

__global__ void down(int *a, unsigned t)
{
    int sum = 0;
    for (unsigned i = t; i >= 0; i--) // <-- guilty
        sum += 3;
    a[threadIdx.x] = sum;
}
