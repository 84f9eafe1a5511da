// launch: --grid 2 --block 64
// after: proved
// wrong: refuted

// Every lane of a warp has the sum.
__global__ void before(const int *in, int *out)
{
    if (threadIdx.x != 0) return;
    int sum = 0;
    for (int k = 0; k < 64; k++) sum += in[blockIdx.x * 64 + k];
    out[blockIdx.x] = sum;
}
#define REDUCED(MASK) \
    __shared__ int s[2]; \
    int t = threadIdx.x, sum = in[blockIdx.x * 64 + t]; \
    for (int step = 1; step < 32; step *= 2) sum += __shfl_xor_sync(0xffffffffu, sum, MASK); \
    if (t % 32 == 5) s[t / 32] = sum; \
    __syncthreads(); \
    if (t == 63) out[blockIdx.x] = s[0] + s[1];
__global__ void after(const int *in, int *out) { REDUCED(step) }
__global__ void wrong(const int *in, int *out) { REDUCED(step == 16 ? 8 : step) }
