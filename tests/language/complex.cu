// gridlock: verdict = passed
// gridlock: block = 4
// gridlock: extent = a=4
// gridlock: why = products and quotients of complex numbers, each thread its own

#include <cuComplex.h>

__global__ void powers(cuDoubleComplex *a)
{
    cuDoubleComplex i = make_cuDoubleComplex(0.0, 1.0);
    cuDoubleComplex square = cuCmul(i, i);
    assert(cuCreal(square) == -1.0 && cuCimag(square) == 0.0);
    cuDoubleComplex back = cuCdiv(square, i);
    assert(cuCreal(back) == 0.0 && cuCimag(back) == 1.0);
    assert(cuCabs(make_cuDoubleComplex(3.0, 4.0)) == 5.0);
    a[threadIdx.x] = cuCadd(a[threadIdx.x], cuConj(i));
}
