// gridlock: verdict = refuted
// gridlock: kind = deadlock
// gridlock: grid = 1
// gridlock: block = 64
// gridlock: profile = cuda
// gridlock: few-block = 2
// gridlock: why = lane 0 waits for lanes of its warp that wait at the block's barrier

__device__ int warp_sum(int v)
{
    for (int offset = warpSize / 2; offset > 0; offset /= 2)
        v += __shfl_down_sync(0xffffffff, v, offset); // <-- guilty
    return v;
}

__global__ void block_sum(const int *in, int *out)
{
    __shared__ int part[32];
    int lane = threadIdx.x % warpSize;
    int warp = threadIdx.x / warpSize;
    int v = in[blockIdx.x * blockDim.x + threadIdx.x];
    if (lane == 0)
        part[warp] = warp_sum(v);
    __syncthreads();
    if (threadIdx.x == 0)
        out[blockIdx.x] = part[0];
}
