// Floats: conversions, exact functions, no contraction.

__device__ float blend(float a, float b, float t)
{
    return a * (1.0f - t) + b * t;
}

__global__ void floats(const float *a, const float *b, float *out, double *d, int *whole, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float x = a[i], y = b[i];
        out[i] = blend(x, y, 0.3f) + x * y - sqrtf(fabsf(x)) / (fabsf(y) + 0.1f);
        d[i] = x * 0.1 + i / 3 - (double)y / 7;
        whole[i] = (int)(x * 2.5f) + (int)floorf(y);
        if (x > y && !(x < 0) || x == 0.125f)
            out[i] = fmaf(x, y, 1e-7f) - fminf(x, y) * ceilf(x) + i;
    }
}
