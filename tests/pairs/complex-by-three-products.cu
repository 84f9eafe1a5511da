// launch: --grid 1 --block 32
// after: proved
// wrong: refuted
// modulo: reals

// A product of complex numbers.
__global__ void before(const float2 *a, const float2 *b, float2 *c)
{
    float2 x = a[threadIdx.x], y = b[threadIdx.x];
    c[threadIdx.x] = make_float2(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);
}
#define BY_THREE(SIGN) \
    float2 x = a[threadIdx.x], y = b[threadIdx.x]; \
    float k1 = y.x * (x.x + x.y), k2 = x.x * (y.y - y.x), k3 = x.y * (y.x SIGN y.y); \
    c[threadIdx.x] = make_float2(k1 - k3, k1 + k2);
__global__ void after(const float2 *a, const float2 *b, float2 *c) { BY_THREE(+) }
__global__ void wrong(const float2 *a, const float2 *b, float2 *c) { BY_THREE(-) }
