// launch: --a-grid 4 --b-grid 1 --block 32
// after: proved
// wrong: refuted

// Four cells by one access.
__global__ void before(const int *a, const int *b, int *c)
{
    int i = blockIdx.x * 32 + threadIdx.x;
    c[i] = a[i] + b[i];
}
#define FOUR(LAST) \
    int i = threadIdx.x; \
    int4 x = ((const int4 *)a)[i], y = ((const int4 *)b)[i]; \
    ((int4 *)c)[i] = make_int4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + LAST);
__global__ void after(const int *a, const int *b, int *c) { FOUR(y.w) }
__global__ void wrong(const int *a, const int *b, int *c) { FOUR((i == 31 ? y.z : y.w)) }
