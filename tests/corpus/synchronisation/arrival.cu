// gridlock: verdict = passed
// gridlock: block = 64
// gridlock: why = thread 0 writes before it says that it has arrived

__global__ void hand_over(int *out)
{
    __shared__ int left;
    if (threadIdx.x < 32) {
        if (threadIdx.x == 0)
            left = 7;
        asm volatile("bar.arrive 1, 64;" ::: "memory");
        if (threadIdx.x == 0)
            out[0] = 1;
    } else {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        out[threadIdx.x] = left;
    }
}
