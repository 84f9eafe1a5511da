// launch: --grid 1 --block 4
// after: proved
// wrong: refuted
// modulo: reals

// The logarithm of softmax, and of the sum of exponentials.
__global__ void before(const float *in, float *out)
{
    const float *row = in + threadIdx.x * 12;
    float most = row[0], sum = 0.0f;
    for (int k = 1; k < 12; k++) most = fmaxf(most, row[k]);
    for (int k = 0; k < 12; k++) sum += expf(row[k] - most);
    out[threadIdx.x] = -logf(expf(row[3] - most) / sum);
}
#define FUSED(MOST) \
    const float *row = in + threadIdx.x * 12; \
    float most = row[0], sum = 0.0f; \
    for (int k = 1; k < 12; k++) most = fmaxf(most, row[k]); \
    for (int k = 0; k < 12; k++) sum += expf(row[k] - most); \
    out[threadIdx.x] = logf(sum) + MOST - row[3];
__global__ void after(const float *in, float *out) { FUSED(most) }
__global__ void wrong(const float *in, float *out) { FUSED(0.0f) }
