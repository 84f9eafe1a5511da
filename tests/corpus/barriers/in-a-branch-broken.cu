// gridlock: verdict = refuted
// gridlock: kind = barrier-divergence
// gridlock: block = 16
// gridlock: few-block = 2
// gridlock: why = only half of the block meets the barrier

__global__ void first_half(const int *in, int *out)
{
    __shared__ int cell[64];
    int t = threadIdx.x;
    if (t < blockDim.x / 2) {
        cell[t] = in[t];
        __syncthreads(); // <-- guilty
        out[t] = cell[blockDim.x / 2 - 1 - t];
    }
}
