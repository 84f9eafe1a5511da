// gridlock: verdict = passed
// gridlock: block = 64
// gridlock: why = every thread meets the barrier

__global__ void first_half(const int *in, int *out)
{
    __shared__ int cell[64];
    int t = threadIdx.x;
    if (t < 32)
        cell[t] = in[t];
    __syncthreads();
    out[t] = cell[t % 32];
}
