// gridlock: verdict = passed
// gridlock: block = 64
// gridlock: extent = in=32
// gridlock: extent = out=32
// gridlock: why = the first warp exchanges, the second has nothing to do

__global__ void mirror(const int *in, int *out)
{
    __shared__ int cell[32];
    int t = threadIdx.x;
    if (t < 32) {
        cell[t] = in[t];
    }
    __syncthreads();
    if (t < 32) {
        out[t] = cell[31 - t];
    }
}
