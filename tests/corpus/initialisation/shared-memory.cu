// gridlock: verdict = passed
// gridlock: block = 32
// gridlock: few-block = 2
// gridlock: why = every cell is stored before it is read

__global__ void mirror(const int *in, int *out)
{
    __shared__ int cell[32];
    int t = threadIdx.x;
    cell[t] = in[t];
    __syncthreads();
    out[t] = cell[blockDim.x - 1 - t];
}
