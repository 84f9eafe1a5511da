// launch: --grid 1 --block 32
// after: proved
// wrong: refuted

// By sums of neighbours.
__global__ void before(const unsigned *a, unsigned *b)
{
    int i = threadIdx.x;
    b[i] = __popc(a[i]);
}
__global__ void after(const unsigned *a, unsigned *b)
{
    int i = threadIdx.x;
    unsigned x = a[i];
    x = x - ((x >> 1) & 0x55555555u);
    x = (x & 0x33333333u) + ((x >> 2) & 0x33333333u);
    b[i] = ((x + (x >> 4) & 0x0f0f0f0fu) * 0x01010101u) >> 24;
}
__global__ void wrong(const unsigned *a, unsigned *b)
{
    int i = threadIdx.x;
    unsigned x = a[i];
    x = x - ((x >> 1) & 0x55555555u);
    x = (x & 0x33333333u) + ((x >> 2) & 0x33333333u);
    b[i] = (((x + (x >> 4)) & 0x0f0f0f07u) * 0x01010101u) >> 24;
}
