// gridlock: verdict = passed
// gridlock: block = 32
// gridlock: extent = a=32
// gridlock: contents = a=range:0.5:0.25
// gridlock: why = functions of math.h and of CUDA give what IEEE 754 or their definition says

#include <cmath>

__global__ void transform(float *a, unsigned int limit)
{
    int i = threadIdx.x;
    float s, c;
    sincosf(a[i], &s, &c);
    assert(fabsf(s * s + c * c - 1.0f) < 1e-5f);
    int power;
    float part = frexpf(12.0f, &power);
    assert(part == 0.75f && power == 4 && ldexpf(part, power) == 12.0f);
    assert(__float2int_rn(2.5f) == 2 && __float2int_rz(-2.5f) == -2 && __float2int_rd(-2.5f) == -3);
    assert(__float2int_rn(1e20f) == INT_MAX && __saturatef(7.0f) == 1.0f);
    assert(fmodf(-7.5f, 2.0f) == -1.5f && rintf(2.5f) == 2.0f && lroundf(2.5f) == 3);
    assert(std::isnan(0.0f / (a[i] - a[i])) && !isinf(a[i]));
    assert(sqrt(16) == 4.0 && pow(2.0f, 3) == 8.0f && std::min<int>(3, 4) == 3);
    assert(min(limit, 7) <= 7u);
    a[i] = rsqrtf(a[i]) + __expf(c) + tanhf(s);
}
