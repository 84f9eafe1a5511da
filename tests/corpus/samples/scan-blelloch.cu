// gridlock: verdict = passed
// gridlock: block = 8
// gridlock: shared-bytes = 72
// gridlock: arg = n=16
// gridlock: extent = in=n
// gridlock: extent = out=n
// gridlock: few-block = 2
// gridlock: few-arg = n=4
// gridlock: why = each level of the tree, up and down, begins at a barrier

// Work-efficient exclusive scan of one block: 2 * blockDim.x elements, one pad every 8 banks.

#define LOG_NUM_BANKS 3
#define PADDED(i) ((i) + ((i) >> LOG_NUM_BANKS))

__global__ void prescan(const int *__restrict__ in, int *__restrict__ out, int n)
{
    extern __shared__ int temp[];
    const int tid = threadIdx.x;
    const int half = n / 2;
    int offset = 1;

    temp[PADDED(tid)] = in[tid];
    temp[PADDED(tid + half)] = in[tid + half];

    for (int d = n >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (tid < d) {
            int ai = PADDED(offset * (2 * tid + 1) - 1);
            int bi = PADDED(offset * (2 * tid + 2) - 1);
            temp[bi] += temp[ai];
        }
        offset *= 2;
    }

    if (tid == 0)
        temp[PADDED(n - 1)] = 0;

    for (int d = 1; d < n; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (tid < d) {
            int ai = PADDED(offset * (2 * tid + 1) - 1);
            int bi = PADDED(offset * (2 * tid + 2) - 1);
            int t = temp[ai];
            temp[ai] = temp[bi];
            temp[bi] += t;
        }
    }
    __syncthreads();

    out[tid] = temp[PADDED(tid)];
    out[tid + half] = temp[PADDED(tid + half)];
}
