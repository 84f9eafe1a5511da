// launch: --grid 2 --block 32
// after: proved
// wrong: refuted
// modulo: reals

// Pairs of maximum and sum are merged by shuffles.
__global__ void before(const float *in, float *out)
{
    const float *row = in + blockIdx.x * 64;
    float most = row[0], sum = 0.0f;
    for (int k = 1; k < 64; k++) most = fmaxf(most, row[k]);
    for (int k = 0; k < 64; k++) sum += expf(row[k] - most);
    for (int k = threadIdx.x; k < 64; k += 32) out[blockIdx.x * 64 + k] = expf(row[k] - most) / sum;
}
#define BY_SHUFFLES(OTHER) \
    const float *row = in + blockIdx.x * 64; \
    float most = -INFINITY, sum = 0.0f; \
    for (int k = threadIdx.x; k < 64; k += 32) { \
        float x = row[k]; \
        if (x > most) { sum *= __expf(most - x); most = x; } \
        sum += __expf(x - most); \
    } \
    for (int step = 16; step > 0; step /= 2) { \
        float most2 = __shfl_xor_sync(0xffffffffu, most, step); \
        float sum2 = __shfl_xor_sync(0xffffffffu, sum, step); \
        float next = fmaxf(most, most2); \
        sum = sum * __expf(most - next) + OTHER; \
        most = next; \
    } \
    for (int k = threadIdx.x; k < 64; k += 32) out[blockIdx.x * 64 + k] = __expf(row[k] - most) * (1.0f / sum);
__global__ void after(const float *in, float *out) { BY_SHUFFLES(sum2 * __expf(most2 - next)) }
__global__ void wrong(const float *in, float *out) { BY_SHUFFLES(sum2) }
