// launch: --grid 2 --block 4
// after: proved
// wrong: refuted
// modulo: reals

// Mean and variance by two passes, and by Welford's one.
__global__ void before(const float *in, const float *scale, float *out)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) * 24;
    float mean = 0.0f, var = 0.0f;
    for (int k = 0; k < 24; k++) mean += in[row + k];
    mean /= 24;
    for (int k = 0; k < 24; k++) { float d = in[row + k] - mean; var += d * d; }
    for (int k = 0; k < 24; k++) out[row + k] = (in[row + k] - mean) * rsqrtf(var / 24 + 1e-5f) * scale[k];
}
#define WELFORD(SECOND) \
    int row = (blockIdx.x * blockDim.x + threadIdx.x) * 24; \
    float mean = 0.0f, m2 = 0.0f; \
    for (int k = 0; k < 24; k++) { \
        float x = in[row + k], d = x - mean; \
        mean += d / (float)(k + 1); \
        m2 += d * SECOND; \
    } \
    float s = 1.0f / sqrtf(m2 / 24 + 1e-5f); \
    for (int k = 0; k < 24; k++) out[row + k] = scale[k] * (s * (in[row + k] - mean));
__global__ void after(const float *in, const float *scale, float *out) { WELFORD((x - mean)) }
__global__ void wrong(const float *in, const float *scale, float *out) { WELFORD(d) }
