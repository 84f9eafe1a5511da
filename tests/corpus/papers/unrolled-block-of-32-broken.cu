// gridlock: verdict = refuted
// gridlock: kind = out-of-bounds
// gridlock: profile = lockstep-warp
// gridlock: block = 32
// gridlock: shared-bytes = 128
// gridlock: few-block = 2
// gridlock: why = the unrolled steps take a block of 64 for granted

__global__ void tree_sum(const int *in, int *out)
{
    extern __shared__ int cell[];
    int t = threadIdx.x;
    cell[t] = in[t];
    __syncthreads();
    if (t < 32) {
        cell[t] += cell[t + 32]; // <-- guilty
        cell[t] += cell[t % 16 + 16];
    }
    out[t] = cell[t];
}
