// gridlock: verdict = refuted
// gridlock: kind = livelock
// gridlock: block = 2
// gridlock: why = each thread counts in an array of its own by a function, and asks about nothing that changes

__device__ unsigned next(unsigned n)
{
    unsigned more = n * 2;
    return more + 1;
}

__global__ void count(unsigned *a)
{
    unsigned own[2] = {1, 0};
    while (a[4] != 1 || own[1] != 1 || true) // <-- guilty
        own[threadIdx.x] = next(own[threadIdx.x]);
}
