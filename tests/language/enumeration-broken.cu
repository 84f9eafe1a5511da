// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: block = 64
// gridlock: why = the last enumerator needs three bits, so that the mode may be 4, and two groups of four meet

enum interpolation { BILINEAR = 0, NEAREST, BICUBIC = 4 };

__global__ void shift(const float *x, float *y, interpolation mode)
{
    int i = threadIdx.x;
    if (i % 4 == 0)
        y[i + mode] = x[i] + y[i]; // <-- guilty
}
