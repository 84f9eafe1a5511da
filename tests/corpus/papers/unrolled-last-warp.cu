// gridlock: verdict = passed
// gridlock: profile = lockstep-warp
// gridlock: block = 8
// gridlock: few-block = 4
// gridlock: why = in lockstep all lanes have done one step of the sum before any begins the next

__global__ void tree_sum(const int *in, int *out)
{
    __shared__ int cell[64];
    int t = threadIdx.x;
    int n = blockDim.x;
    cell[t] = in[t];
    __syncthreads();
    if (t < 32 && t < n / 2) {
        if (n >= 64)
            cell[t] += cell[t + 32];
        if (n >= 32)
            cell[t] += cell[t + 16];
        if (n >= 16)
            cell[t] += cell[t + 8];
        if (n >= 8)
            cell[t] += cell[t + 4];
        if (n >= 4)
            cell[t] += cell[t + 2];
        if (n >= 2)
            cell[t] += cell[t + 1];
    }
    if (t == 0)
        out[0] = cell[0];
}
