// launch: --grid 1 --block 32
// after: proved
// wrong: refuted

// Without a branch.
__global__ void before(const int *a, const int *b, int *c)
{
    int i = threadIdx.x;
    if (a[i] < b[i]) c[i] = a[i]; else c[i] = b[i];
}
__global__ void after(const int *a, const int *b, int *c)
{
    int i = threadIdx.x;
    int less = -(a[i] < b[i]); c[i] = (a[i] & less) | (b[i] & ~less);
}
__global__ void wrong(const int *a, const int *b, int *c)
{
    int i = threadIdx.x;
    int less = (a[i] - b[i]) >> 31; c[i] = (a[i] & less) | (b[i] & ~less);
}
