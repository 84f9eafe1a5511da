// gridlock: verdict = refuted
// gridlock: kind = out-of-bounds
// gridlock: instantiate = integrate<float>
// gridlock: block = 8
// gridlock: extent = positions=8
// gridlock: why = what is written lies behind the end

template <class T> struct vec2 {
    typedef float Type;
};
template <> struct vec2<float> {
    typedef float2 Type;
};
template <> struct vec2<double> {
    typedef double2 Type;
};

template <class T> __device__ T length(typename vec2<T>::Type v) { return v.x * v.x + v.y * v.y; }

template <class T> __global__ void integrate(typename vec2<T>::Type *__restrict__ positions)
{
    typename vec2<T>::Type p = positions[threadIdx.x];
    p.x = length<T>(p);
    positions[threadIdx.x + 8] = p; // <-- guilty
}
