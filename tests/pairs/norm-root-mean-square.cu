// launch: --grid 2 --block 32
// after: proved
// wrong: refuted
// modulo: assoc-comm

// As above, with the root of the mean square; the quotient is one of the sum.
__global__ void before(const float *in, const float *by, float *out)
{
    const float *row = in + blockIdx.x * 32;
    float squares = 0.0f;
    for (int k = 0; k < 32; k++) squares += row[k] * row[k];
    out[blockIdx.x * 32 + threadIdx.x] = row[threadIdx.x] * rsqrtf(squares / 32 + 1e-6f) * by[threadIdx.x];
}
#define IN_SHARED(WEIGHT) \
    __shared__ float s[32]; \
    int t = threadIdx.x; \
    float own = in[blockIdx.x * 32 + t]; \
    s[t] = own * own; \
    __syncthreads(); \
    for (int step = 16; step > 0; step /= 2) { \
        if (t < step) s[t] += s[t + step]; \
        __syncthreads(); \
    } \
    out[blockIdx.x * 32 + t] = own * rsqrtf(s[0] / 32 + 1e-6f) * WEIGHT;
__global__ void after(const float *in, const float *by, float *out) { IN_SHARED(by[t]) }
__global__ void wrong(const float *in, const float *by, float *out) { IN_SHARED(by[t == 31 ? 30 : t]) }
