// gridlock: verdict = refuted
// gridlock: kind = deadlock
// gridlock: block = 64
// gridlock: few-block = 2
// gridlock: why = the lanes below the offset are named by the mask, but never come to the shuffle

// Inclusive scan of a block: a scan in each warp, then of the warps' sums.

#define FULL_MASK 0xffffffffu
#define MAX_WARPS 32

__device__ __forceinline__ int warp_scan(int v, int lane)
{
#pragma unroll
    for (int delta = 1; delta < 32; delta <<= 1) {
        if (lane >= delta)
            v += __shfl_up_sync(FULL_MASK, v, delta); // <-- guilty
    }
    return v;
}

__global__ void block_scan(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ int sums[MAX_WARPS];
    const int lane = threadIdx.x & 31;
    const int wid = threadIdx.x >> 5;
    const int n_warps = (blockDim.x + 31) / 32;
    int v = warp_scan(in[threadIdx.x], lane);

    if (lane == 31)
        sums[wid] = v;
    __syncthreads();
    if (wid == 0) {
        int s = lane < n_warps ? sums[lane] : 0;
        s = warp_scan(s, lane);
        if (lane < n_warps)
            sums[lane] = s;
    }
    __syncthreads();
    if (wid > 0)
        v += sums[wid - 1];
    out[threadIdx.x] = v;
}
