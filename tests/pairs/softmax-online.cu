// launch: --grid 2 --block 4
// after: proved
// wrong: refuted
// modulo: reals

// A row by three passes, and by one that corrects its sum whenever the maximum grows.
__global__ void before(const float *in, float *out)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) * 24;
    float most = -INFINITY, sum = 0.0f;
    for (int k = 0; k < 24; k++) most = fmaxf(most, in[row + k]);
    for (int k = 0; k < 24; k++) sum += expf(in[row + k] - most);
    for (int k = 0; k < 24; k++) out[row + k] = expf(in[row + k] - most) / sum;
}
#define ONLINE(SCALED) \
    int row = (blockIdx.x * blockDim.x + threadIdx.x) * 24; \
    float most = -INFINITY, sum = 0.0f; \
    for (int k = 0; k < 24; k++) { \
        float x = in[row + k], next = fmaxf(most, x); \
        sum = SCALED + expf(x - next); \
        most = next; \
    } \
    for (int k = 0; k < 24; k++) out[row + k] = expf(in[row + k] - most) / sum;
__global__ void after(const float *in, float *out) { ONLINE(sum * expf(most - next)) }
__global__ void wrong(const float *in, float *out) { ONLINE(sum) }
