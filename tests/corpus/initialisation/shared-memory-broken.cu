// gridlock: verdict = refuted
// gridlock: kind = uninitialised-read
// gridlock: block = 32
// gridlock: few-block = 2
// gridlock: why = half of the cells are never stored

__global__ void mirror(const int *in, int *out)
{
    __shared__ int cell[32];
    int t = threadIdx.x;
    if (t < blockDim.x / 2)
        cell[t] = in[t];
    __syncthreads();
    out[t] = cell[blockDim.x - 1 - t]; // <-- guilty
}
