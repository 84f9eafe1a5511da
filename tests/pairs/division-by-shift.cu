// launch: --grid 1 --block 32
// after: proved
// wrong: refuted

// Of unsigned numbers; of signed ones it differs below zero.
__global__ void before(const unsigned *a, unsigned *b)
{
    int i = threadIdx.x;
    b[i] = a[i] / 8 + a[i] % 8;
}
__global__ void after(const unsigned *a, unsigned *b)
{
    int i = threadIdx.x;
    b[i] = (a[i] >> 3) + (a[i] & 7);
}
__global__ void wrong(const unsigned *a, unsigned *b)
{
    int i = threadIdx.x;
    b[i] = ((int)a[i] >> 3) + (a[i] & 7);
}
