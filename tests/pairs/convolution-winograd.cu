// launch: --grid 1 --block 8
// after: proved
// wrong: refuted
// modulo: reals

// Two outputs of a filter of three by four products.
__global__ void before(const float *in, const float *w, float *out)
{
    for (int i = 2 * threadIdx.x; i < 2 * threadIdx.x + 2; i++)
        out[i] = in[i] * w[0] + in[i + 1] * w[1] + in[i + 2] * w[2];
}
#define WINOGRAD(SECOND) \
    const float *d = in + 2 * threadIdx.x; \
    float m1 = (d[0] - d[2]) * w[0]; \
    float m2 = (d[1] + d[2]) * ((w[0] + w[1] + w[2]) * 0.5f); \
    float m3 = (d[2] - d[1]) * ((w[0] - w[1] + w[2]) * 0.5f); \
    float m4 = (d[1] - d[3]) * w[2]; \
    out[2 * threadIdx.x] = m1 + m2 + m3; \
    out[2 * threadIdx.x + 1] = m2 - m3 SECOND m4;
__global__ void after(const float *in, const float *w, float *out) { WINOGRAD(-) }
__global__ void wrong(const float *in, const float *w, float *out) { WINOGRAD(+) }
