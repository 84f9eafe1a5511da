// launch: --grid 1 --block 32
// after: proved
// wrong: refuted

// By a permutation of bytes.
__global__ void before(const unsigned *a, unsigned *b)
{
    int i = threadIdx.x;
    b[i] = a[i] << 24 | (a[i] & 0xff00) << 8 | (a[i] >> 8 & 0xff00) | a[i] >> 24;
}
__global__ void after(const unsigned *a, unsigned *b)
{
    int i = threadIdx.x;
    b[i] = __byte_perm(a[i], 0, 0x0123);
}
__global__ void wrong(const unsigned *a, unsigned *b)
{
    int i = threadIdx.x;
    b[i] = __byte_perm(a[i], 0, 0x0132);
}
