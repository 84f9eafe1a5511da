// gridlock: verdict = passed
// gridlock: block = 16
// gridlock: extent = a=16
// gridlock: extent = b=16
// gridlock: why = a template that only its text launches is judged as that instance

namespace shifts {
template <class T, int N> __global__ void shift(const T *a, T *b)
{
    __shared__ T cells[N];
    cells[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    b[threadIdx.x] = cells[(threadIdx.x + 1) % N];
}
}

template <class T> void launch(const T *a, T *b)
{
    shifts::shift<double, 16><<<1, 16>>>((const double *)a, (double *)b);
}
