// gridlock: verdict = passed
// gridlock: block = 32
// gridlock: extent = a=32
// gridlock: arg = n=32
// gridlock: why = a file may define names that the headers here define, too

typedef unsigned long long size_t;
typedef unsigned int uint32_t;
typedef unsigned char uchar;
#define M_PI 3.14159265358979323846
#include <cstdint>
#include <type_traits>

static_assert(std::is_same<size_t, unsigned long long>::value && sizeof(std::uintptr_t) == 8, "as everywhere");

__global__ void k(uint32_t *a, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    uchar low = (uchar)(i + 250);
    if (i < n)
        a[i] = low + (uint32_t)M_PI + (uint32_t)(std::int8_t)-1;
    assert(i >= n || a[i] == ((i + 250) % 256) + 2);
}
