// launch: --grid 1 --block 32
// after: proved
// wrong: refuted

// One rounding, or two.
__global__ void before(const float *a, const float *b, float *c)
{
    int i = threadIdx.x;
    c[i] = fmaf(a[i], b[i], c[i]);
}
__global__ void after(const float *a, const float *b, float *c)
{
    int i = threadIdx.x;
    c[i] = __fmaf_rn(b[i], a[i], c[i]);
}
__global__ void wrong(const float *a, const float *b, float *c)
{
    int i = threadIdx.x;
    c[i] = a[i] * b[i] + c[i];
}
