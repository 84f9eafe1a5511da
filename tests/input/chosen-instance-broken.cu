// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: block = 16
// gridlock: extent = a=16
// gridlock: extent = b=16
// gridlock: why = the instance that the text launches reads what another thread writes

namespace shifts {
template <class T, int N> __global__ void shift(const T *a, T *b)
{
    __shared__ T cells[N];
    cells[threadIdx.x] = a[threadIdx.x]; // <-- guilty
    // No barrier.
    b[threadIdx.x] = cells[(threadIdx.x + 1) % N]; // <-- guilty
}
}

template <class T> void launch(const T *a, T *b)
{
    shifts::shift<double, 16><<<1, 16>>>((const double *)a, (double *)b);
}
