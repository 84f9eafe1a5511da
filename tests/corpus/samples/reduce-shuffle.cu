// gridlock: verdict = passed
// gridlock: grid = 1
// gridlock: block = 64
// gridlock: arg = n=80
// gridlock: extent = in=n
// gridlock: extent = sums=1
// gridlock: extent = maxima=1
// gridlock: few-block = 2
// gridlock: few-arg = n=3
// gridlock: why = the second reduction waits until the first is done with the warps' cells

// Grid-stride reduction: each thread, each warp by shuffles, each block by its first warp.

#define FULL_MASK 0xffffffffu

template <bool MAXIMUM>
__inline__ __device__ int warp_reduce(int val)
{
    for (int offset = warpSize / 2; offset > 0; offset /= 2) {
        int other = __shfl_down_sync(FULL_MASK, val, offset);
        val = MAXIMUM ? max(val, other) : val + other;
    }
    return val;
}

template <bool MAXIMUM>
__inline__ __device__ int block_reduce(int val, int *shared, int neutral)
{
    int lane = threadIdx.x % warpSize;
    int wid = threadIdx.x / warpSize;

    val = warp_reduce<MAXIMUM>(val);
    if (lane == 0)
        shared[wid] = val;
    __syncthreads();
    val = (threadIdx.x < (blockDim.x + warpSize - 1) / warpSize) ? shared[lane] : neutral;
    return wid == 0 ? warp_reduce<MAXIMUM>(val) : val;
}

__global__ void sum_and_maximum(const int *in, int *sums, int *maxima, int n)
{
    __shared__ int shared[32];
    int sum = 0, most = -2147483647;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        sum += in[i];
        most = max(most, in[i]);
    }
    sum = block_reduce<false>(sum, shared, 0);
    __syncthreads();
    most = block_reduce<true>(most, shared, -2147483647);
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = sum;
        maxima[blockIdx.x] = most;
    }
}
