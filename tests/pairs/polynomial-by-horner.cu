// launch: --grid 1 --block 32
// after: proved
// wrong: refuted

// Modulo 2^32.
__global__ void before(const unsigned *a, unsigned *b, unsigned c)
{
    int i = threadIdx.x;
    unsigned x = a[i]; b[i] = x * x * x * 3 - x * x * c + 5 * x + 7;
}
__global__ void after(const unsigned *a, unsigned *b, unsigned c)
{
    int i = threadIdx.x;
    unsigned x = a[i]; b[i] = ((3 * x - c) * x + 5) * x + 7;
}
__global__ void wrong(const unsigned *a, unsigned *b, unsigned c)
{
    int i = threadIdx.x;
    unsigned x = a[i]; b[i] = ((3 * x - c) * x + 5) * x + (x == c && x > 1000000 ? 8 : 7);
}
