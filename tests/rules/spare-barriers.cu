// gridlock: verdict = passed
// gridlock: block = 8
// gridlock: extent = in=8
// gridlock: extent = out=8
// gridlock: why = one barrier between the writes and the reads is enough

__global__ void turn(const int *in, int *out)
{
    __shared__ int cell[8];
    int t = threadIdx.x;
    cell[t] = in[t];
    __syncthreads();
    int other = 7 - t;
    if (other > 3)
        other = 11 - other;
    __syncthreads();
    out[t] = cell[other];
}
