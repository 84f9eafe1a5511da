// launch: --grid 1 --block 32
// after: proved
// wrong: refuted

// A product of vectors of bytes.
__global__ void before(const int *a, const int *b, int *c)
{
    int i = threadIdx.x;
    int sum = c[i];
    for (int k = 0; k < 4; k++) sum += (signed char)(a[i] >> 8 * k) * (signed char)(b[i] >> 8 * k);
    c[i] = sum;
}
__global__ void after(const int *a, const int *b, int *c)
{
    int i = threadIdx.x;
    c[i] = __dp4a(a[i], b[i], c[i]);
}
__global__ void wrong(const int *a, const int *b, int *c)
{
    int i = threadIdx.x;
    c[i] = (int)__dp4a((unsigned)a[i], (unsigned)b[i], (unsigned)c[i]);
}
