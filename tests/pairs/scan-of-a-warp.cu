// launch: --grid 1 --block 32
// after: proved
// wrong: refuted

// A scan by shuffles.
__global__ void before(const int *in, int *out)
{
    int sum = 0;
    for (int k = 0; k <= (int)threadIdx.x; k++) sum += in[k];
    out[threadIdx.x] = sum;
}
#define SHUFFLED(COND) \
    int lane = threadIdx.x, sum = in[lane]; \
    for (int step = 1; step < 32; step *= 2) { \
        int other = __shfl_up_sync(0xffffffffu, sum, step); \
        if (COND) sum += other; \
    } \
    out[lane] = sum;
__global__ void after(const int *in, int *out) { SHUFFLED(lane >= step) }
// One lane.
__global__ void wrong(const int *in, int *out) { SHUFFLED(lane >= step + (lane == 16)) }
