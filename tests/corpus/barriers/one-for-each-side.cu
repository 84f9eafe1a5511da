// gridlock: verdict = passed
// gridlock: block = 16
// gridlock: few-block = 2
// gridlock: why = both sides of the branch meet one barrier after it

__global__ void sides(const int *in, int *out)
{
    __shared__ int cell[16];
    int t = threadIdx.x;
    if (t % 2 == 0)
        cell[t] = in[t];
    else
        cell[t] = -in[t];
    __syncthreads();
    out[t] = cell[blockDim.x - 1 - t];
}
