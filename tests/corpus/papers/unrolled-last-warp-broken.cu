// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: profile = cuda, cuda-hw, portable, paper
// gridlock: block = 8
// gridlock: few-block = 4
// gridlock: why = without lockstep nothing orders the steps of the sum

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
            cell[t] += cell[t + 2]; // <-- guilty
        if (n >= 2)
            cell[t] += cell[t + 1]; // <-- guilty
    }
    if (t == 0)
        out[0] = cell[0];
}
