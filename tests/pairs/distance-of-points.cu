// launch: --grid 1 --block 16
// after: proved
// wrong: refuted
// modulo: reals

// By lengths and a product.
__global__ void before(const float *x, const float *y, float *out)
{
    float sum = 0.0f;
    for (int d = 0; d < 8; d++) { float off = x[threadIdx.x * 8 + d] - y[d]; sum += off * off; }
    out[threadIdx.x] = sum;
}
#define BY_PRODUCT(TWO) \
    float xx = 0.0f, yy = 0.0f, xy = 0.0f; \
    for (int d = 0; d < 8; d++) { \
        float a = x[threadIdx.x * 8 + d], b = y[d]; \
        xx += a * a; yy += b * b; xy += a * b; \
    } \
    out[threadIdx.x] = xx + yy - TWO * xy;
__global__ void after(const float *x, const float *y, float *out) { BY_PRODUCT(2.0f) }
__global__ void wrong(const float *x, const float *y, float *out) { BY_PRODUCT(1.0f) }
