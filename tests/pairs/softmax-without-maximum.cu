// launch: --grid 1 --block 16
// after: proved
// wrong: refuted
// modulo: reals

// The maximum makes no difference but for overflow.
__global__ void before(const float *in, float *out)
{
    float most = in[0], sum = 0.0f;
    for (int k = 1; k < 16; k++) most = max(most, in[k]);
    for (int k = 0; k < 16; k++) sum += expf(in[k] - most);
    out[threadIdx.x] = expf(in[threadIdx.x] - most) / sum;
}
__global__ void after(const float *in, float *out)
{
    float sum = 0.0f;
    for (int k = 0; k < 16; k++) sum += expf(in[k]);
    out[threadIdx.x] = expf(in[threadIdx.x]) / sum;
}
__global__ void wrong(const float *in, float *out)
{
    float sum = 0.0f;
    for (int k = 0; k < 16; k++) sum += exp2f(in[k]);
    out[threadIdx.x] = expf(in[threadIdx.x]) / sum;
}
