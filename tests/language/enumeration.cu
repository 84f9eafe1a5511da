// gridlock: verdict = proved
// gridlock: block = 64
// gridlock: why = an enumeration with enumerators 0 to 2 has the values 0 to 3, so that groups of four stay apart

enum interpolation { BILINEAR = 0, NEAREST, BICUBIC };

__global__ void shift(const float *x, float *y, interpolation mode)
{
    int i = threadIdx.x;
    if (i % 4 == 0)
        y[i + mode] = x[i] + y[i];
}
