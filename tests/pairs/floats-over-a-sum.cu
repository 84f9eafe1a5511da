// launch: --grid 1 --block 32
// after: unknown
// wrong: refuted
// modulo: reals

// That a sum is divided by says nothing of its parts: one of them may be 0.
__global__ void before(const float *x, const float *y, float *out)
{
    out[threadIdx.x] = 1.0f / (x[threadIdx.x] + y[threadIdx.x]);
}
__global__ void after(const float *x, const float *y, float *out)
{
    out[threadIdx.x] = x[threadIdx.x] / (x[threadIdx.x] * (x[threadIdx.x] + y[threadIdx.x]));
}
__global__ void wrong(const float *x, const float *y, float *out)
{
    out[threadIdx.x] = 1.0f / x[threadIdx.x] + 1.0f / y[threadIdx.x];
}
