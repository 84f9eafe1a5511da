// gridlock: verdict = passed
// gridlock: grid = 1
// gridlock: block = 96
// gridlock: extent = in=96
// gridlock: extent = out=96
// gridlock: why = those of each branch meet at a barrier of their own

__global__ void k(const int *in, int *out)
{
    __shared__ int cell[96];
    int t = threadIdx.x;
    cell[t] = 0;
    __syncthreads();
    if (t < 32 || t >= 64) {
        cell[t] = in[t];
        __barrier_sync_count(1, 64);
        out[t] = cell[95 - t];
    } else {
        cell[t] = in[t] + 1;
        __barrier_sync_count(2, 32);
        out[t] = cell[95 - t];
    }
}
