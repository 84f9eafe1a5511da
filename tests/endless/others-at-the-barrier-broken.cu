// gridlock: verdict = refuted
// gridlock: kind = livelock
// gridlock: block = 4
// gridlock: why = thread 0 counts for ever, and the others wait for it: not one of them is at another barrier

__global__ void one_counts(int *a)
{
    if (threadIdx.x == 0) {
        unsigned n = 0;
        while (true) { // <-- guilty
            n += 3;
            a[0] = n;
        }
    }
    __syncthreads();
    a[threadIdx.x + 1] = 1;
}
