// gridlock: verdict = proved
// gridlock: block = 8
// gridlock: why = the name of a type in a function means another type in each instance

template <class T, int N> struct alignas(sizeof(T) * N) Several {
    T data[N];
};

template <class T, int N> __device__ void copy(const T *in, T *out)
{
    using group_t = Several<T, N>;
    auto at = [=](int i) { reinterpret_cast<group_t *>(out)[i] = reinterpret_cast<const group_t *>(in)[i]; };
    at(threadIdx.x);
}

__global__ void copies(const float *a, float *b, const int *c, int *d)
{
    copy<float, 4>(a, b);
    copy<int, 2>(c, d);
}
