// gridlock: verdict = passed
// gridlock: block = 64
// gridlock: why = both halves of the block name the 64 threads that meet

__global__ void halves(int *out)
{
    __shared__ int left;
    if (threadIdx.x < 32) {
        if (threadIdx.x == 0)
            left = 7;
        asm volatile("bar.arrive 1, 64;" ::: "memory");
    } else {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        out[threadIdx.x] = left;
    }
}
