// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: block = 64
// gridlock: why = nobody hears at the barrier of what thread 0 does once it has arrived

__global__ void hand_over(int *out)
{
    __shared__ int left;
    if (threadIdx.x < 32) {
        if (threadIdx.x == 0)
            out[0] = 1;
        asm volatile("bar.arrive 1, 64;" ::: "memory");
        if (threadIdx.x == 0)
            left = 7;
    } else {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        out[threadIdx.x] = left; // <-- guilty
    }
}
