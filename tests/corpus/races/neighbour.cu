// gridlock: verdict = passed
// gridlock: profile = cuda, lockstep-warp
// gridlock: block = 64
// gridlock: few-block = 2
// gridlock: why = a barrier stands between the store of a cell and the neighbour that reads it

__global__ void smooth(const int *in, int *out)
{
    __shared__ int tile[64];
    int t = threadIdx.x;
    tile[t] = in[t];
    __syncthreads();
    int left = t > 0 ? tile[t - 1] : 0;
    out[t] = left + tile[t];
}
