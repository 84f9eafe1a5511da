// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: block = 64
// gridlock: profile = cuda
// gridlock: few-block = 2
// gridlock: why = a lane counts itself but not the one before it, so two write one element

__global__ void keep_positive(const int *in, int *out, int *kept)
{
    int lane = threadIdx.x % warpSize;
    int first = threadIdx.x - lane;
    int v = in[threadIdx.x];
    unsigned keep = __ballot_sync(0xffffffff, v > 0);
    if (v > 0)
        out[first + __popc(keep & (1u << lane))] = v; // <-- guilty
    if (lane == 0)
        atomicAdd(kept, __popc(keep));
}
