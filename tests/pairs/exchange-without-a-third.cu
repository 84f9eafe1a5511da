// launch: --grid 1 --block 32
// after: proved
// wrong: refuted

// By exclusive or.
__global__ void before(int *a, int *b)
{
    int i = threadIdx.x;
    int kept = a[i]; a[i] = b[i]; b[i] = kept;
}
__global__ void after(int *a, int *b)
{
    int i = threadIdx.x;
    int x = a[i], y = b[i]; x ^= y; y ^= x; x ^= y; a[i] = x; b[i] = y;
}
__global__ void wrong(int *a, int *b)
{
    int i = threadIdx.x;
    int x = a[i], y = b[i]; x += y; y = x - y; x = x - y; a[i] = x; b[i] = y == 7 ? 6 : y;
}
