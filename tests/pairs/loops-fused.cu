// launch: --grid 1 --block 32
// after: proved
// wrong: refuted

// Two loops become one.
__global__ void before(const int *a, int *b, int *c)
{
    int i = threadIdx.x * 4;
    for (int k = 0; k < 4; k++) b[i + k] = a[i + k] * 3;
    for (int k = 0; k < 4; k++) c[i + k] = b[i + k] + a[i + k];
}
__global__ void after(const int *a, int *b, int *c)
{
    int i = threadIdx.x * 4;
    for (int k = 0; k < 4; k++) {
        b[i + k] = a[i + k] * 3;
        c[i + k] = a[i + k] << 2;
    }
}
__global__ void wrong(const int *a, int *b, int *c)
{
    int i = threadIdx.x * 4;
    for (int k = 0; k < 4; k++) {
        c[i + k] = b[i + k] + a[i + k];
        b[i + k] = a[i + k] * 3;
    }
}
