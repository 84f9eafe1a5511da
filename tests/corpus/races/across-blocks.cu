// gridlock: verdict = passed
// gridlock: grid = 3
// gridlock: block = 4
// gridlock: few-grid = 2
// gridlock: few-block = 1
// gridlock: why = each block has a cell of its own

__global__ void last_of_block(const int *in, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == blockDim.x - 1)
        out[blockIdx.x] = in[i];
}
