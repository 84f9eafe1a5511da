// launch: --grid 2 --block 32
// after: proved
// wrong: refuted
// modulo: assoc-comm

// Maximum and sum by one loop for each thread, and by trees.
__global__ void before(const float *in, float *out)
{
    const float *row = in + blockIdx.x * 32;
    float most = row[0], sum = 0.0f;
    for (int k = 1; k < 32; k++) most = fmaxf(most, row[k]);
    for (int k = 0; k < 32; k++) sum += expf(row[k] - most);
    out[blockIdx.x * 32 + threadIdx.x] = expf(row[threadIdx.x] - most) / sum;
}
#define BY_TREES(MOST) \
    float own = in[blockIdx.x * 32 + threadIdx.x], most = own; \
    for (int step = 16; step > 0; step /= 2) most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, step)); \
    float e = expf(own - MOST), sum = e; \
    for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step); \
    out[blockIdx.x * 32 + threadIdx.x] = e / sum;
__global__ void after(const float *in, float *out) { BY_TREES(most) }
__global__ void wrong(const float *in, float *out) { BY_TREES(own) }
