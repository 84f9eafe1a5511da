// gridlock: verdict = refuted
// gridlock: kind = no-warps
// gridlock: profile = portable
// gridlock: block = 64
// gridlock: few-block = 2
// gridlock: why = not every GPU has warps, or of 32 lanes

__global__ void any_negative(const int *in, int *found)
{
    if (__any_sync(0xffffffff, in[threadIdx.x] < 0) && threadIdx.x % warpSize == 0) // <-- guilty
        atomicOr(found, 1);
}
