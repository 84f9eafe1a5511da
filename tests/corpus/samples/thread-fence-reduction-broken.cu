// gridlock: verdict = unknown
// gridlock: kind = weak-memory
// gridlock: grid = 2
// gridlock: block = 2
// gridlock: arg = n=4
// gridlock: extent = g_idata=n
// gridlock: extent = g_odata=2
// gridlock: why = no fence stands between a block's sum and its ticket

// The block that takes the last ticket adds up the sums of all blocks.

#define BLOCK_MAX 32

__device__ unsigned int retirement_count = 0;

__device__ int block_sum(int *sdata, int mine)
{
    int tid = threadIdx.x;
    sdata[tid] = mine;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s)
            sdata[tid] += sdata[tid + s];
        __syncthreads();
    }
    return sdata[0];
}

__global__ void reduce_single_pass(const int *g_idata, int *g_odata, int n)
{
    __shared__ int sdata[BLOCK_MAX];
    __shared__ bool am_last;
    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + tid;
    int sum = block_sum(sdata, i < n ? g_idata[i] : 0);

    if (tid == 0) {
        g_odata[blockIdx.x] = sum;
        unsigned int ticket = atomicInc(&retirement_count, gridDim.x - 1); // wraps round for the next launch
        am_last = ticket == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (am_last) {
        sum = block_sum(sdata, tid < gridDim.x ? g_odata[tid] : 0);
        if (tid == 0)
            g_odata[0] = sum;
    }
}
