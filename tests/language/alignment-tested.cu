// gridlock: verdict = proved
// gridlock: block = 4
// gridlock: why = four elements at once are read only where both addresses are multiples of 16

__global__ void copy(const float *a, float *b, int n, int from)
{
    int i = threadIdx.x;
    const float *p = a + from;
    if (reinterpret_cast<size_t>(p) % 16 == 0 && !((size_t)b & 15)) {
        if (i * 4 + 3 < n)
            ((float4 *)b)[i] = ((const float4 *)p)[i];
    } else {
        for (int k = i; k < n; k += blockDim.x)
            b[k] = p[k];
    }
}
