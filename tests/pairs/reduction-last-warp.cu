// launch: --grid 2 --block 64
// after: proved
// wrong: refuted

// The last warp without barriers of the block.
__global__ void before(const int *in, int *out)
{
    if (threadIdx.x != 0) return;
    int sum = 0;
    for (int k = 0; k < 64; k++) sum += in[blockIdx.x * 64 + k];
    out[blockIdx.x] = sum;
}
#define REDUCED(FENCE) \
    __shared__ int s[64]; \
    int t = threadIdx.x; \
    s[t] = in[blockIdx.x * 64 + t]; \
    __syncthreads(); \
    if (t < 32) { \
        for (int step = 32; step > 0; step /= 2) { \
            int other = s[t + step]; \
            __syncwarp(); \
            s[t] += other; \
            FENCE; \
        } \
    } \
    if (t == 0) out[blockIdx.x] = s[0];
__global__ void after(const int *in, int *out) { REDUCED(__syncwarp()) }
__global__ void wrong(const int *in, int *out) { REDUCED(if (step != 8) __syncwarp()) }
