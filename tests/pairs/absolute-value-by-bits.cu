// launch: --grid 1 --block 32
// after: proved
// wrong: refuted

// The least number keeps its sign.
__global__ void before(const int *a, int *b)
{
    int i = threadIdx.x;
    b[i] = a[i] < 0 ? (int)(0u - (unsigned)a[i]) : a[i];
}
__global__ void after(const int *a, int *b)
{
    int i = threadIdx.x;
    b[i] = (a[i] ^ (a[i] >> 31)) - (a[i] >> 31);
}
__global__ void wrong(const int *a, int *b)
{
    int i = threadIdx.x;
    b[i] = a[i] == -2147483647 - 1 ? 2147483647 : abs(a[i]);
}
