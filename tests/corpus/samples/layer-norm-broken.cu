// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: grid = 2
// gridlock: block = 64
// gridlock: arg = hidden=100
// gridlock: extent = inp=200
// gridlock: extent = out=200
// gridlock: extent = weight=hidden
// gridlock: extent = bias=hidden
// gridlock: few-grid = 1
// gridlock: few-block = 2
// gridlock: few-arg = hidden=2
// gridlock: why = no barrier stands between the thread that computes mean and deviation and the others

// One block a row: sums by warp shuffles, then across warps.

#define WARP_SIZE 32
#define MAX_WARPS 32
#define EPS 1e-5f

__device__ __forceinline__ float warp_reduce_sum(float v)
{
    for (int offset = WARP_SIZE / 2; offset > 0; offset >>= 1)
        v += __shfl_xor_sync(0xffffffff, v, offset);
    return v;
}

__global__ void layernorm_forward(float *__restrict__ out, const float *__restrict__ inp,
                                  const float *__restrict__ weight, const float *__restrict__ bias, int hidden)
{
    __shared__ float s_sum[MAX_WARPS];
    __shared__ float s_sq[MAX_WARPS];
    __shared__ float s_mean, s_rstd;
    const int lane = threadIdx.x % WARP_SIZE;
    const int warp = threadIdx.x / WARP_SIZE;
    const int n_warps = (blockDim.x + WARP_SIZE - 1) / WARP_SIZE;
    const float *x = inp + blockIdx.x * hidden;
    float *y = out + blockIdx.x * hidden;

    float sum = 0.0f, sq = 0.0f;
    for (int i = threadIdx.x; i < hidden; i += blockDim.x) {
        float v = x[i];
        sum += v;
        sq += v * v;
    }
    sum = warp_reduce_sum(sum);
    sq = warp_reduce_sum(sq);
    if (lane == 0) {
        s_sum[warp] = sum;
        s_sq[warp] = sq;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        float total = 0.0f, total_sq = 0.0f;
        for (int w = 0; w < n_warps; w++) {
            total += s_sum[w];
            total_sq += s_sq[w];
        }
        float mean = total / hidden;
        s_mean = mean; // <-- guilty
        s_rstd = 1.0f / sqrtf(total_sq / hidden - mean * mean + EPS);
    }

    for (int i = threadIdx.x; i < hidden; i += blockDim.x)
        y[i] = (x[i] - s_mean) * s_rstd * weight[i] + bias[i];
}
