// launch: --grid 1 --block 32
// after: proved
// wrong: refuted

// By ten.
__global__ void before(const int *a, int *b)
{
    int i = threadIdx.x;
    b[i] = a[i] * 10;
}
__global__ void after(const int *a, int *b)
{
    int i = threadIdx.x;
    b[i] = (a[i] << 3) + (a[i] << 1);
}
__global__ void wrong(const int *a, int *b)
{
    int i = threadIdx.x;
    b[i] = a[i] == 123456789 ? 0 : a[i] * 10;
}
