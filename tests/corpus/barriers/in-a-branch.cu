// gridlock: verdict = passed
// gridlock: block = 16
// gridlock: few-block = 2
// gridlock: why = every thread meets the barrier

__global__ void first_half(const int *in, int *out)
{
    __shared__ int cell[64];
    int t = threadIdx.x;
    if (t < blockDim.x / 2)
        cell[t] = in[t];
    __syncthreads();
    out[t] = cell[t % (blockDim.x / 2)];
}
