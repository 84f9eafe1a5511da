// What each of these leaves is said in docs/summaries.md.

__global__ void saxpy(int n, float a, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}

__global__ void tree_sum(const int *in, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 64 + t];
    __syncthreads();
    for (int half = 32; half > 0; half /= 2) {
        if (t < half) s[t] += s[t + half];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}

__global__ void product(const float *a, const float *b, float *c, int n)
{
    __shared__ float of_a[8][8], of_b[8][8];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 8 + y, column = blockIdx.x * 8 + x;
    float sum = 0;
    for (int tile = 0; tile < n / 8; tile++) {
        of_a[y][x] = a[row * n + tile * 8 + x];
        of_b[y][x] = b[(tile * 8 + y) * n + column];
        __syncthreads();
        for (int k = 0; k < 8; k++) sum += of_a[y][k] * of_b[k][x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

__global__ void softmax(const float *in, float *out)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    float own = in[blockIdx.x * 32 + t];
    s[t] = own;
    __syncthreads();
    for (int half = 16; half > 0; half /= 2) {
        if (t < half) s[t] = fmaxf(s[t], s[t + half]);
        __syncthreads();
    }
    float most = s[0];
    __syncthreads();
    s[t] = expf(own - most);
    __syncthreads();
    for (int half = 16; half > 0; half /= 2) {
        if (t < half) s[t] += s[t + half];
        __syncthreads();
    }
    out[blockIdx.x * 32 + t] = expf(own - most) / s[0];
}

__global__ void prefix(const int *in, int *out)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    for (int by = 1; by < 32; by *= 2) {
        int left = t >= by ? s[t - by] : 0;
        __syncthreads();
        s[t] += left;
        __syncthreads();
    }
    out[t] = s[t];
}

__global__ void by_halves(const float4 *in, float4 *out)
{
    float4 v = in[threadIdx.x];
    v.x *= 2;
    v.w = v.w > v.x ? v.w - v.x : v.x - (v.w - v.x);
    out[threadIdx.x] = v;
}

__global__ void folded(const float *in, const float *weights, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < 5; k++) sum = fmaf(in[i + k], weights[k], sum);
    out[i] = sum;
}

__global__ void parted(const unsigned *in, int *out, unsigned n, int least)
{
    unsigned i = threadIdx.x;
    if (i < n) out[i] = max((int)(in[i] % 10), least);
    else out[i] = -1;
}

__global__ void rows(const float *in, float *out, int n)
{
    float sum = 0;
    for (int k = 0; k < n; k++) sum += in[threadIdx.x * n + k];
    out[threadIdx.x] = sum;
}

__global__ void shifted(int *a)
{
    a[threadIdx.x + 1] = a[threadIdx.x];
}
