// launch: --grid 1 --block 32
// after: proved
// wrong: refuted

// Whether any is below zero.
__global__ void before(const int *in, int *out)
{
    int any = 0;
    for (int k = 0; k < 32; k++) any |= in[k] < 0;
    out[threadIdx.x] = any;
}
__global__ void after(const int *in, int *out)
{
    out[threadIdx.x] = __any_sync(0xffffffffu, in[threadIdx.x] < 0) ? 1 : 0;
}
__global__ void wrong(const int *in, int *out)
{
    out[threadIdx.x] = __any_sync(0xffffffffu, in[threadIdx.x] < 0 && threadIdx.x != 17) ? 1 : 0;
}
