// launch: --grid 1 --block 32
// after: proved
// wrong: refuted

// By a power of two; by three it is rounded.
__global__ void before(const float *a, float *b)
{
    int i = threadIdx.x;
    b[i] = a[i] / 2.0f;
}
__global__ void after(const float *a, float *b)
{
    int i = threadIdx.x;
    b[i] = a[i] * 0.5f;
}
__global__ void wrong(const float *a, float *b)
{
    int i = threadIdx.x;
    b[i] = a[i] * 0.49999997f;
}
