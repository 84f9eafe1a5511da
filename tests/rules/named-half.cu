// gridlock: verdict = passed
// gridlock: grid = 1
// gridlock: block = 64
// gridlock: extent = in=64
// gridlock: extent = out=64
// gridlock: why = the first warp meets at a barrier of its own

__global__ void k(const int *in, int *out)
{
    __shared__ int cell[64];
    int t = threadIdx.x;
    cell[t] = in[t];
    __syncthreads();
    if (t < 32) {
        cell[t] = cell[t] + 1;
        __barrier_sync_count(1, 32);
        out[t] = cell[31 - t];
    }
}
