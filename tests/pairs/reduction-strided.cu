// launch: --grid 2 --block 64
// after: proved
// wrong: refuted

// Neighbours first, the threads in a row.
__global__ void before(const int *in, int *out)
{
    if (threadIdx.x != 0) return;
    int sum = 0;
    for (int k = 0; k < 64; k++) sum += in[blockIdx.x * 64 + k];
    out[blockIdx.x] = sum;
}
#define REDUCED(LAST) \
    __shared__ int s[64]; \
    int t = threadIdx.x; \
    s[t] = in[blockIdx.x * 64 + t]; \
    __syncthreads(); \
    for (int step = 1; step < LAST; step *= 2) { \
        int at = 2 * step * t; \
        if (at < 64) s[at] += s[at + step]; \
        __syncthreads(); \
    } \
    if (t == 0) out[blockIdx.x] = s[0];
__global__ void after(const int *in, int *out) { REDUCED(64) }
__global__ void wrong(const int *in, int *out) { REDUCED(32) }
