// gridlock: verdict = passed
// gridlock: block = 16
// gridlock: why = the last thread has no right neighbour and does not ask for one

__global__ void differences(const int *in, int *out)
{
    __shared__ int tile[16];
    int t = threadIdx.x;
    tile[t] = in[t];
    __syncthreads();
    if (t + 1 < 16)
        out[t] = tile[t + 1] - tile[t];
}
