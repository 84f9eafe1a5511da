// gridlock: verdict = passed
// gridlock: block = 8
// gridlock: extent = a=64
// gridlock: extent = out=64
// gridlock: why = eight numbers of 16 bits are loaded as four words, changed one by one and stored again

#include <cuda_bf16.h>

template <class T> struct alignas(16) Pack {
    Pack() = default;
    __device__ explicit Pack(int4 bits) { memcpy(&payload, &bits, sizeof(bits)); }
    __device__ T &operator[](int at) { return payload[at]; }
    __device__ int4 get_bits() const
    {
        int4 bits;
        memcpy(&bits, &payload, sizeof(bits));
        return bits;
    }
    T payload[sizeof(int4) / sizeof(T)];
};

typedef __nv_bfloat16 number;
typedef Pack<number> pack;

template <class T> __device__ Pack<T> load(const T *address)
{
    return Pack<T>{__ldcs(reinterpret_cast<const int4 *>(address))};
}

template <class T> __device__ void store(T *target, Pack<T> value)
{
    __stcs(reinterpret_cast<int4 *>(target), value.get_bits());
}

__global__ void doubled(const number *a, number *out)
{
    int at = threadIdx.x * 8;
    pack values = load(a + at);
    for (int k = 0; k < 8; k++)
        values[k] = (number)((float)values[k] * 2.0f);
    number first = __ldg(a + at);
    assert((float)values[0] == 2.0f * (float)first || (float)first != (float)first);
    store(out + at, values);
}
