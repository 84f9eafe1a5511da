// launch: --grid 1 --block 32
// after: proved
// wrong: refuted

// A funnel shift of a number with itself.
__global__ void before(const unsigned *a, unsigned *b)
{
    int i = threadIdx.x;
    b[i] = a[i] << 5 | a[i] >> 27;
}
__global__ void after(const unsigned *a, unsigned *b)
{
    int i = threadIdx.x;
    b[i] = __funnelshift_l(a[i], a[i], 5);
}
__global__ void wrong(const unsigned *a, unsigned *b)
{
    int i = threadIdx.x;
    b[i] = __funnelshift_r(a[i], a[i], 5);
}
