// gridlock: verdict = refuted
// gridlock: kind = livelock
// gridlock: grid = 1
// gridlock: block = 32
// gridlock: why = half of 0 is 0: the warp exchanges for ever, together

__device__ int warp_sum(int v)
{
    for (int offset = warpSize / 2; offset >= 0; offset /= 2)
        v += __shfl_down_sync(0xffffffff, v, offset);
    return v;
}

__global__ void block_sum(const int *in, int *out)
{
    __shared__ int part[32];
    int lane = threadIdx.x % warpSize;
    int warp = threadIdx.x / warpSize;
    int v = warp_sum(in[blockIdx.x * blockDim.x + threadIdx.x]);
    if (lane == 0)
        part[warp] = v;
    __syncthreads();
    if (warp == 0) {
        v = lane < blockDim.x / warpSize ? part[lane] : 0;
        v = warp_sum(v);
        if (lane == 0)
            out[blockIdx.x] = v;
    }
}
