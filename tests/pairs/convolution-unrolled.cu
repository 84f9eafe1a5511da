// launch: --grid 1 --block 32
// after: proved
// wrong: refuted

// Weights in constant memory, the loop written out.
__constant__ float weights[5];
__global__ void before(const float *in, float *out)
{
    float sum = 0.0f;
    for (int k = 0; k < 5; k++) sum = fmaf(weights[k], in[threadIdx.x + k], sum);
    out[threadIdx.x] = sum;
}
#define WRITTEN_OUT(FOURTH) \
    const float *p = in + threadIdx.x; \
    float sum = fmaf(weights[0], p[0], 0.0f); \
    sum = fmaf(weights[1], p[1], sum); \
    sum = fmaf(weights[2], p[2], sum); \
    sum = fmaf(weights[FOURTH], p[3], sum); \
    out[threadIdx.x] = fmaf(weights[4], p[4], sum);
__global__ void after(const float *in, float *out) { WRITTEN_OUT(3) }
__global__ void wrong(const float *in, float *out) { WRITTEN_OUT(1) }
