// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: grid = 2
// gridlock: block = 8
// gridlock: arg = cols=19
// gridlock: extent = x=38
// gridlock: extent = y=38
// gridlock: few-grid = 1
// gridlock: few-block = 2
// gridlock: few-arg = cols=3
// gridlock: why = the buffer takes the partial sums while others still read the maximum in it

// One block a row: maximum, sum of exponentials, quotient.

#define MAX_THREADS 64

// exp(x) for x <= 0, as (1 + x / 256)^256.
__device__ float fast_exp(float x)
{
    float v = 1.0f + fmaxf(x, -87.0f) * 0.00390625f;
    for (int i = 0; i < 8; i++)
        v *= v;
    return v;
}

__global__ void softmax(const float *__restrict__ x, float *__restrict__ y, int cols)
{
    __shared__ float red[MAX_THREADS];
    const int tid = threadIdx.x;
    const float *row = x + blockIdx.x * cols;

    float m = -3.0e38f;
    for (int c = tid; c < cols; c += blockDim.x)
        m = fmaxf(m, row[c]);
    red[tid] = m;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s)
            red[tid] = fmaxf(red[tid], red[tid + s]);
        __syncthreads();
    }
    m = red[0];

    float sum = 0.0f;
    for (int c = tid; c < cols; c += blockDim.x)
        sum += fast_exp(row[c] - m);
    red[tid] = sum; // <-- guilty
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s)
            red[tid] += red[tid + s];
        __syncthreads();
    }
    const float inv = 1.0f / red[0];
    for (int c = tid; c < cols; c += blockDim.x)
        y[blockIdx.x * cols + c] = fast_exp(row[c] - m) * inv;
}
