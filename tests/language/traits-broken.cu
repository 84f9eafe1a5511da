// gridlock: verdict = refuted
// gridlock: kind = assertion
// gridlock: block = 4
// gridlock: extent = out=4
// gridlock: why = an integer is no floating point number

#include <limits>
#include <type_traits>

template <class T> __device__ T zero()
{
    if constexpr (std::is_same<T, float>::value)
        return 0.5f;
    else if constexpr (std::is_integral_v<T> && sizeof(T) == 4)
        return 3;
    return T(0);
}

template <class T, class = std::enable_if_t<std::is_floating_point<T>::value>> __device__ int kind(T) { return 1; }
template <class T, class = std::enable_if_t<std::is_integral<T>::value>, class = void> __device__ int kind(T) { return 2; }

__global__ void k(int *out)
{
    out[threadIdx.x] = zero<int>() + std::numeric_limits<int>::lowest() + (std::conditional_t<true, int, float>)(1.5f);
    assert(zero<float>() == 0.5f);
    assert(zero<int>() == 3);
    assert(zero<short>() == 0);
    assert(kind(2.0) == 1);
    assert(kind(2) == 1); // <-- guilty
}
