// launch: --grid 1 --block 1
// after: proved
// wrong: refuted
// modulo: reals

// The mean of squares less the square of the mean.
__global__ void before(const float *in, float *out)
{
    float mean = 0.0f, var = 0.0f;
    for (int k = 0; k < 40; k++) mean += in[k];
    mean /= 40;
    for (int k = 0; k < 40; k++) var += (in[k] - mean) * (in[k] - mean);
    out[0] = var / 40;
}
#define BY_SQUARES(N) \
    float sum = 0.0f, squares = 0.0f; \
    for (int k = 0; k < 40; k++) { sum += in[k]; squares = fmaf(in[k], in[k], squares); } \
    out[0] = squares / 40 - (sum / 40) * (sum / N);
__global__ void after(const float *in, float *out) { BY_SQUARES(40) }
__global__ void wrong(const float *in, float *out) { BY_SQUARES(39) }
