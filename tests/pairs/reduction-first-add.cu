// launch: --grid 2 --a-block 64 --b-block 32
// after: proved
// wrong: refuted

// The first addition is that of the load.
__global__ void before(const int *in, int *out)
{
    if (threadIdx.x != 0) return;
    int sum = 0;
    for (int k = 0; k < 64; k++) sum += in[blockIdx.x * 64 + k];
    out[blockIdx.x] = sum;
}
#define REDUCED(FIRST) \
    __shared__ int s[32]; \
    int t = threadIdx.x; \
    s[t] = in[blockIdx.x * 64 + t] + in[blockIdx.x * 64 + t + FIRST]; \
    __syncthreads(); \
    for (int step = 16; step > 0; step /= 2) { \
        if (t < step) s[t] += s[t + step]; \
        __syncthreads(); \
    } \
    if (t == 0) out[blockIdx.x] = s[0];
__global__ void after(const int *in, int *out) { REDUCED(32) }
__global__ void wrong(const int *in, int *out) { REDUCED(31) }
