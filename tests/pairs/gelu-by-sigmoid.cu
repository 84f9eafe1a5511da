// launch: --grid 2 --block 8
// after: proved
// wrong: refuted
// modulo: reals

// A hyperbolic tangent is a logistic function of twice its argument.
__global__ void before(const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = in[i], u = 0.75f * (x + 0.0625f * x * x * x);
    out[i] = 0.5f * x * (1.0f + tanhf(u));
}
#define BY_SIGMOID(TWICE) \
    int i = blockIdx.x * blockDim.x + threadIdx.x; \
    float x = in[i]; \
    out[i] = x / (1.0f + __expf(-TWICE * x * (1.0f + 0.0625f * x * x)));
__global__ void after(const float *in, float *out) { BY_SIGMOID(1.5f) }
__global__ void wrong(const float *in, float *out) { BY_SIGMOID(0.75f) }
