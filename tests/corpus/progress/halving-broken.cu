// gridlock: verdict = refuted
// gridlock: kind = livelock
// gridlock: block = 16
// gridlock: few-block = 2
// gridlock: why = half of 0 is 0: the loop looks counted and has no end

__global__ void halve(const int *in, int *out)
{
    __shared__ int cell[64];
    int t = threadIdx.x;
    cell[t] = in[t];
    __syncthreads();
    for (int s = blockDim.x / 2; s >= 0; s >>= 1) { // <-- guilty
        if (t < s)
            cell[t] += cell[t + s];
        __syncthreads();
    }
    if (t == 0)
        out[0] = cell[0];
}
