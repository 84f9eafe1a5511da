// gridlock: verdict = passed
// gridlock: profile = cuda
// gridlock: block = 64
// gridlock: few-block = 2
// gridlock: why = CUDA has warps, and all of each vote

__global__ void any_negative(const int *in, int *found)
{
    if (__any_sync(0xffffffff, in[threadIdx.x] < 0) && threadIdx.x % warpSize == 0)
        atomicOr(found, 1);
}
