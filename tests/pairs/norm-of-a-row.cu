// launch: --grid 2 --block 32
// after: proved
// wrong: refuted
// modulo: assoc-comm

// Mean and variance by two passes, alone and by shuffles.
__global__ void before(const float *in, float *out)
{
    const float *row = in + blockIdx.x * 32;
    float sum = 0.0f, squares = 0.0f;
    for (int k = 0; k < 32; k++) sum += row[k];
    float mean = sum / 32;
    for (int k = 0; k < 32; k++) squares += (row[k] - mean) * (row[k] - mean);
    out[blockIdx.x * 32 + threadIdx.x] = (row[threadIdx.x] - mean) / sqrtf(squares / 32 + 1e-5f);
}
#define BY_SHUFFLES(N) \
    float own = in[blockIdx.x * 32 + threadIdx.x], sum = own; \
    for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step); \
    float mean = sum / 32, off = own - mean, squares = off * off; \
    for (int step = 16; step > 0; step /= 2) squares += __shfl_xor_sync(0xffffffffu, squares, step); \
    out[blockIdx.x * 32 + threadIdx.x] = off / sqrtf(squares / N + 1e-5f);
__global__ void after(const float *in, float *out) { BY_SHUFFLES(32) }
__global__ void wrong(const float *in, float *out) { BY_SHUFFLES(31) }
