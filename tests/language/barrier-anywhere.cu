// gridlock: verdict = passed
// gridlock: grid = 2
// gridlock: block = 64
// gridlock: why = barrier.sync without .aligned is met wherever each thread comes to one, and orders what was written before

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
        asm volatile("barrier.sync 0;" ::: "memory");
    }
    out[blockIdx.x * 64 + threadIdx.x] = half[0] + half[1];
}
