// launch: --grid 1 --block 32
// after: passed
// wrong: refuted

// A minimum passes the number on; a comparison does not.
__global__ void before(const float *a, const float *b, float *c)
{
    int i = threadIdx.x;
    c[i] = fminf(a[i], b[i]) < 3.0f ? 1.0f : 2.0f;
}
__global__ void after(const float *a, const float *b, float *c)
{
    int i = threadIdx.x;
    c[i] = (a[i] < 3.0f || b[i] < 3.0f) ? 1.0f : 2.0f;
}
__global__ void wrong(const float *a, const float *b, float *c)
{
    int i = threadIdx.x;
    c[i] = (a[i] < b[i] ? a[i] : b[i]) < 3.0f ? 1.0f : 2.0f;
}
