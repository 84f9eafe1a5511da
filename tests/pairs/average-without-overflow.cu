// launch: --grid 1 --block 32
// after: proved
// wrong: refuted

// Of two signed numbers, rounded down.
__global__ void before(const int *a, const int *b, int *c)
{
    int i = threadIdx.x;
    c[i] = (int)(((long long)a[i] + b[i]) >> 1);
}
__global__ void after(const int *a, const int *b, int *c)
{
    int i = threadIdx.x;
    c[i] = (a[i] & b[i]) + ((a[i] ^ b[i]) >> 1);
}
__global__ void wrong(const int *a, const int *b, int *c)
{
    int i = threadIdx.x;
    c[i] = (a[i] + b[i]) >> 1;
}
