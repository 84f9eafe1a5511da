// launch: --grid 1 --block 32
// after: proved
// wrong: refuted

// By a constant, as compilers do it.
__global__ void before(const unsigned *a, unsigned *b)
{
    int i = threadIdx.x;
    b[i] = a[i] / 10;
}
__global__ void after(const unsigned *a, unsigned *b)
{
    int i = threadIdx.x;
    b[i] = __umulhi(a[i], 0xcccccccdu) >> 3;
}
__global__ void wrong(const unsigned *a, unsigned *b)
{
    int i = threadIdx.x;
    b[i] = __umulhi(a[i], 0xccccccccu) >> 3;
}
