// gridlock: verdict = refuted
// gridlock: kind = barrier-divergence
// gridlock: grid = 2
// gridlock: block = 64
// gridlock: why = bar.sync is barrier.sync.aligned: all have to come to it at one place

__global__ void handed_over(int *out)
{
    __shared__ int half[2];
    if (threadIdx.x < 32) {
        if (threadIdx.x == 0)
            half[0] = 1;
        __barrier_sync(0);
    } else {
        if (threadIdx.x == 32)
            half[1] = 2;
        asm volatile("bar.sync 0;" ::: "memory");
    }
    out[blockIdx.x * 64 + threadIdx.x] = half[0] + half[1];
}
