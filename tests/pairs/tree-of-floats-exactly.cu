// launch: --grid 1 --block 32
// after: refuted
// wrong: refuted

// The same numbers in another order: not bit for bit the same.
__global__ void before(const float *in, float *out)
{
    if (threadIdx.x != 0) return;
    float sum = in[0];
    for (int k = 1; k < 32; k++) sum += in[k];
    out[0] = sum;
}
#define TREE(OTHER) \
    __shared__ float s[32]; \
    int t = threadIdx.x; \
    s[t] = in[t]; \
    __syncthreads(); \
    for (int step = 16; step > 0; step /= 2) { \
        if (t < step) s[t] += OTHER; \
        __syncthreads(); \
    } \
    if (t == 0) out[0] = s[0];
__global__ void after(const float *in, float *out) { TREE(s[t + step]) }
__global__ void wrong(const float *in, float *out) { TREE(s[t + step] * 1.0001f) }
