// gridlock: verdict = passed
// gridlock: block = 8
// gridlock: arg = n=13
// gridlock: arg = k=3
// gridlock: extent = scores=n
// gridlock: extent = top=k
// gridlock: few-block = 2
// gridlock: few-arg = n=3
// gridlock: few-arg = k=2
// gridlock: why = nobody looks for the next best before the best is struck out

// The k largest of n scores, by k rounds of a reduction over indices.

#define MAX_N 32
#define MAX_THREADS 32
#define TAKEN (-3.4e38f)

__global__ void top_k(const float *__restrict__ scores, int n, int k, int *__restrict__ top)
{
    __shared__ float s_score[MAX_N];
    __shared__ int s_best[MAX_THREADS];
    const int tid = threadIdx.x;

    for (int i = tid; i < n; i += blockDim.x)
        s_score[i] = scores[i];
    __syncthreads();

    for (int round = 0; round < k; round++) {
        int best = 0;
        for (int i = tid; i < n; i += blockDim.x)
            if (s_score[i] > s_score[best])
                best = i;
        s_best[tid] = best;
        __syncthreads();
        for (int s = blockDim.x >> 1; s > 0; s >>= 1) {
            if (tid < s && s_score[s_best[tid + s]] > s_score[s_best[tid]])
                s_best[tid] = s_best[tid + s];
            __syncthreads();
        }
        if (tid == 0) {
            top[round] = s_best[0];
            s_score[s_best[0]] = TAKEN;
        }
        __syncthreads();
    }
}
