// launch: --grid 1 --block 32
// after: passed
// wrong: refuted

// The sign is a bit.
__global__ void before(const float *a, float *b)
{
    int i = threadIdx.x;
    b[i] = fabsf(a[i]);
}
__global__ void after(const float *a, float *b)
{
    int i = threadIdx.x;
    b[i] = __int_as_float(__float_as_int(a[i]) & 0x7fffffff);
}
__global__ void wrong(const float *a, float *b)
{
    int i = threadIdx.x;
    b[i] = a[i] < 0.0f ? -a[i] : a[i];
}
