// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: grid = 3
// gridlock: block = 4
// gridlock: few-grid = 2
// gridlock: few-block = 1
// gridlock: why = the last threads of all blocks store to one cell

__global__ void last_of_block(const int *in, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == blockDim.x - 1)
        out[0] = in[i]; // <-- guilty
}
