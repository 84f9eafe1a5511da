// launch: --grid 1 --block 32
// after: proved
// wrong: refuted
// modulo: reals

// Means and squares of halves are merged by shuffles.
__global__ void before(const float *in, float *out)
{
    float mean = 0.0f, var = 0.0f;
    for (int k = 0; k < 32; k++) mean += in[k];
    mean /= 32;
    for (int k = 0; k < 32; k++) var += (in[k] - mean) * (in[k] - mean);
    out[threadIdx.x] = (in[threadIdx.x] - mean) / sqrtf(var / 32 + 1e-6f);
}
#define MERGED(PART) \
    float mean = in[threadIdx.x], m2 = 0.0f; \
    for (int n = 1; n < 32; n *= 2) { \
        float other = __shfl_xor_sync(0xffffffffu, mean, n); \
        float d = other - mean; \
        m2 += __shfl_xor_sync(0xffffffffu, m2, n) + d * d * PART; \
        mean = (mean + other) * 0.5f; \
    } \
    out[threadIdx.x] = (in[threadIdx.x] - mean) / sqrtf(m2 / 32 + 1e-6f);
__global__ void after(const float *in, float *out) { MERGED((n * 0.5f)) }
__global__ void wrong(const float *in, float *out) { MERGED(n) }
