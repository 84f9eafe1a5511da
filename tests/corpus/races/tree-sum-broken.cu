// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: block = 16
// gridlock: few-block = 2
// gridlock: why = a step may start before the one before is done

__global__ void tree_sum(const int *in, int *out)
{
    __shared__ int cell[64];
    int t = threadIdx.x;
    cell[t] = in[t];
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (t < s)
            cell[t] += cell[t + s]; // <-- guilty
    }
    if (t == 0)
        out[0] = cell[0];
}
