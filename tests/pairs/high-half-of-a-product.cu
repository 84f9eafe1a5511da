// launch: --grid 1 --block 32
// after: proved
// wrong: refuted

// By 64 bits.
__global__ void before(const unsigned *a, const unsigned *b, unsigned *c)
{
    int i = threadIdx.x;
    c[i] = (unsigned)((unsigned long long)a[i] * b[i] >> 32);
}
__global__ void after(const unsigned *a, const unsigned *b, unsigned *c)
{
    int i = threadIdx.x;
    c[i] = __umulhi(a[i], b[i]);
}
__global__ void wrong(const unsigned *a, const unsigned *b, unsigned *c)
{
    int i = threadIdx.x;
    c[i] = (unsigned)((unsigned long long)(a[i] * b[i]) >> 32);
}
