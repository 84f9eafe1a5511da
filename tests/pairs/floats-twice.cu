// launch: --grid 1 --block 32
// after: proved
// wrong: refuted

// Doubling is exact; a zero below zero keeps its sign.
__global__ void before(const float *a, float *b)
{
    int i = threadIdx.x;
    b[i] = a[i] * 2.0f;
}
__global__ void after(const float *a, float *b)
{
    int i = threadIdx.x;
    b[i] = a[i] + a[i];
}
__global__ void wrong(const float *a, float *b)
{
    int i = threadIdx.x;
    b[i] = (a[i] + a[i]) + 0.0f;
}
