// gridlock: verdict = refuted
// gridlock: kind = out-of-bounds
// gridlock: block = 16
// gridlock: why = the last thread reads one cell beyond the tile

__global__ void differences(const int *in, int *out)
{
    __shared__ int tile[16];
    int t = threadIdx.x;
    tile[t] = in[t];
    __syncthreads();
    out[t] = tile[t + 1] - tile[t]; // <-- guilty
}
