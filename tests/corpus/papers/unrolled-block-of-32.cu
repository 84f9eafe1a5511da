// gridlock: verdict = passed
// gridlock: profile = lockstep-warp
// gridlock: block = 32
// gridlock: shared-bytes = 128
// gridlock: few-block = 2
// gridlock: why = a block of one warp has no second half to add

__global__ void tree_sum(const int *in, int *out)
{
    extern __shared__ int cell[];
    int t = threadIdx.x;
    cell[t] = in[t];
    __syncthreads();
    if (t < 32) {
        if (blockDim.x >= 64)
            cell[t] += cell[t + 32];
        cell[t] += cell[t % 16 + 16];
    }
    out[t] = cell[t];
}
