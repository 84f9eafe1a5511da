// launch: --grid 1 --block 32
// after: proved
// wrong: refuted

// Towards zero, by a shift with what is missing below zero.
__global__ void before(const int *a, int *b)
{
    int i = threadIdx.x;
    b[i] = a[i] / 4;
}
__global__ void after(const int *a, int *b)
{
    int i = threadIdx.x;
    b[i] = (a[i] + ((a[i] >> 31) & 3)) >> 2;
}
__global__ void wrong(const int *a, int *b)
{
    int i = threadIdx.x;
    b[i] = a[i] >> 2;
}
