// launch: --grid 1 --block 32
// after: refuted
// wrong: refuted

// A quotient is no product with the rounded inverse.
__global__ void before(const float *a, float *b)
{
    int i = threadIdx.x;
    b[i] = a[i] / 3.0f;
}
__global__ void after(const float *a, float *b)
{
    int i = threadIdx.x;
    b[i] = a[i] * (1.0f / 3.0f);
}
__global__ void wrong(const float *a, float *b)
{
    int i = threadIdx.x;
    b[i] = a[i] * 0.5f;
}
