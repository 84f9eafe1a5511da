// gridlock: verdict = refuted
// gridlock: kind = misaligned-access
// gridlock: block = 4
// gridlock: why = an address that is a multiple of 8 need not be one of 16

__global__ void copy(const float *a, float *b, int n, int from)
{
    int i = threadIdx.x;
    const float *p = a + from;
    if (reinterpret_cast<size_t>(p) % 8 == 0 && !((size_t)b & 15)) {
        if (i * 4 + 3 < n)
            ((float4 *)b)[i] = ((const float4 *)p)[i]; // <-- guilty // <-- guilty
    } else {
        for (int k = i; k < n; k += blockDim.x)
            b[k] = p[k];
    }
}
