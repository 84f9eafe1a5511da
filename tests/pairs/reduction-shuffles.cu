// launch: --grid 2 --block 64
// after: proved
// wrong: refuted

// Shuffles in warps, shared memory between them.
__global__ void before(const int *in, int *out)
{
    if (threadIdx.x != 0) return;
    int sum = 0;
    for (int k = 0; k < 64; k++) sum += in[blockIdx.x * 64 + k];
    out[blockIdx.x] = sum;
}
#define REDUCED(FROM) \
    __shared__ int s[2]; \
    int t = threadIdx.x, sum = in[blockIdx.x * 64 + t]; \
    for (int step = FROM; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffffu, sum, step); \
    if (t % 32 == 0) s[t / 32] = sum; \
    __syncthreads(); \
    if (t == 0) out[blockIdx.x] = s[0] + s[1];
__global__ void after(const int *in, int *out) { REDUCED(16) }
__global__ void wrong(const int *in, int *out) { REDUCED(8) }
