// launch: --grid 2 --block 64
// after: proved
// wrong: refuted

// Halves onto halves.
__global__ void before(const int *in, int *out)
{
    if (threadIdx.x != 0) return;
    int sum = 0;
    for (int k = 0; k < 64; k++) sum += in[blockIdx.x * 64 + k];
    out[blockIdx.x] = sum;
}
#define REDUCED(BARRIER) \
    __shared__ int s[64]; \
    int t = threadIdx.x; \
    s[t] = in[blockIdx.x * 64 + t]; \
    __syncthreads(); \
    for (int step = 32; step > 0; step /= 2) { \
        if (t < step) s[t] += s[t + step]; \
        BARRIER; \
    } \
    if (t == 0) out[blockIdx.x] = s[0];
__global__ void after(const int *in, int *out) { REDUCED(__syncthreads()) }
__global__ void wrong(const int *in, int *out) { REDUCED(if (step != 16) __syncthreads()) }
