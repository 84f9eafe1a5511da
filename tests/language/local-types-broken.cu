// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: block = 8
// gridlock: why = two threads copy one group

template <class T, int N> struct alignas(sizeof(T) * N) Several {
    T data[N];
};

template <class T, int N> __device__ void copy(const T *in, T *out)
{
    using group_t = Several<T, N>;
    auto at = [=](int i) { reinterpret_cast<group_t *>(out)[i] = reinterpret_cast<const group_t *>(in)[i]; }; // <-- guilty
    at(threadIdx.x / 2);
}

__global__ void copies(const float *a, float *b, const int *c, int *d)
{
    copy<float, 4>(a, b);
    copy<int, 2>(c, d);
}
