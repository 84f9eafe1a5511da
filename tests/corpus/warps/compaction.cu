// gridlock: verdict = passed
// gridlock: block = 256
// gridlock: few-block = 2
// gridlock: why = the ballot tells each lane how many before it in its warp keep their element

__global__ void keep_positive(const int *in, int *out, int *kept)
{
    int lane = threadIdx.x % warpSize;
    int first = threadIdx.x - lane;
    int v = in[threadIdx.x];
    unsigned keep = __ballot_sync(0xffffffff, v > 0);
    if (v > 0)
        out[first + __popc(keep & ((1u << lane) - 1))] = v;
    if (lane == 0)
        atomicAdd(kept, __popc(keep));
}
