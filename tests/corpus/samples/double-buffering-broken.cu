// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: block = 8
// gridlock: arg = tiles=3
// gridlock: extent = in=24
// gridlock: extent = out=8
// gridlock: few-block = 2
// gridlock: why = the next tile goes into the buffer that others still read

// The next tile is fetched while the block works on the one before.

#define MAX_TILE 32

__global__ void moving_extrema(const float *__restrict__ in, float *__restrict__ out, int tiles)
{
    __shared__ float buf[2][MAX_TILE];
    const int t = threadIdx.x;
    float spread = 0.0f;

    buf[0][t] = in[t];
    __syncthreads();
    for (int k = 0; k < tiles; k++) {
        const int cur = 0;
        const int nxt = 0;
        float prefetched = 0.0f;
        if (k + 1 < tiles)
            prefetched = in[(k + 1) * blockDim.x + t];

        float lo = buf[cur][0], hi = buf[cur][0];
        for (int j = 1; j < blockDim.x; j++) {
            lo = fminf(lo, buf[cur][j]);
            hi = fmaxf(hi, buf[cur][j]);
        }
        spread = fmaxf(spread, hi - lo);

        if (k + 1 < tiles)
            buf[nxt][t] = prefetched; // <-- guilty
        __syncthreads();
    }
    out[t] = spread;
}
