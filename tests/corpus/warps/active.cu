// gridlock: verdict = passed
// gridlock: block = 4
// gridlock: few-block = 2
// gridlock: why = whichever lanes come together, the first of them adds for all of them

__global__ void count(int *total)
{
    unsigned together = __activemask();
    int lane = threadIdx.x % warpSize;
    if (lane == __ffs(together) - 1)
        atomicAdd(total, __popc(together));
}
