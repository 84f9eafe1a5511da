// gridlock: verdict = refuted
// gridlock: kind = barrier-divergence
// gridlock: grid = 3
// gridlock: block = 8
// gridlock: arg = batch=2
// gridlock: arg = hw=5
// gridlock: extent = x=30
// gridlock: extent = y=30
// gridlock: extent = gamma=3
// gridlock: extent = beta=3
// gridlock: few-grid = 1
// gridlock: few-block = 2
// gridlock: few-arg = hw=1
// gridlock: why = threads with a second element of the channel reduce once more than the others

// Statistics and normalisation of one channel a block, layout N C H W.

#define MAX_THREADS 64
#define EPSILON 1e-5f

__device__ float block_sum(float *cell, float v)
{
    cell[threadIdx.x] = v;
    __syncthreads(); // <-- guilty
    for (int s = blockDim.x / 2; s > 0; s /= 2) {
        if (threadIdx.x < s)
            cell[threadIdx.x] += cell[threadIdx.x + s];
        __syncthreads();
    }
    float total = cell[0];
    __syncthreads();
    return total;
}

__global__ void batchnorm(const float *__restrict__ x, float *__restrict__ y, const float *__restrict__ gamma,
                          const float *__restrict__ beta, int batch, int hw)
{
    __shared__ float cell[MAX_THREADS];
    const int c = blockIdx.x, channels = gridDim.x;
    const int m = batch * hw;

    float sum = 0.0f;
    for (int i = threadIdx.x; i < m; i += blockDim.x)
        sum += x[(i / hw * channels + c) * hw + i % hw];
    const float mean = block_sum(cell, sum) / m;

    float total = 0.0f;
    for (int i = threadIdx.x; i < m; i += blockDim.x) {
        float d = x[(i / hw * channels + c) * hw + i % hw] - mean;
        total += block_sum(cell, d * d);
    }
    const float var = total / m;
    const float scale = gamma[c] / sqrtf(var + EPSILON);

    for (int i = threadIdx.x; i < m; i += blockDim.x) {
        int at = (i / hw * channels + c) * hw + i % hw;
        y[at] = (x[at] - mean) * scale + beta[c];
    }
}
