// launch: --grid 1 --block 64
// after: proved
// wrong: refuted

// Each warp by itself, then the sums of warps.
__global__ void before(const int *in, int *out)
{
    int sum = 0;
    for (int k = 0; k <= (int)threadIdx.x; k++) sum += in[k];
    out[threadIdx.x] = sum;
}
#define BY_WARPS(LAST) \
    __shared__ int sums[2]; \
    int t = threadIdx.x, lane = t % 32, sum = in[t]; \
    for (int step = 1; step < 32; step *= 2) { \
        int other = __shfl_up_sync(0xffffffffu, sum, step); \
        if (lane >= step) sum += other; \
    } \
    if (lane == LAST) sums[t / 32] = sum; \
    __syncthreads(); \
    out[t] = t < 32 ? sum : sum + sums[0];
__global__ void after(const int *in, int *out) { BY_WARPS(31) }
__global__ void wrong(const int *in, int *out) { BY_WARPS(30) }
