// gridlock: verdict = passed
// gridlock: grid = 2
// gridlock: block = 8
// gridlock: extent = in=16
// gridlock: extent = out=16
// gridlock: why = a barrier stands between the levels of the tree

__global__ void sum(const int *in, int *out)
{
    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];
    __syncthreads();
    for (unsigned s = 1; s < blockDim.x; s *= 2) {
        if (tid % (2 * s) == 0)
            out[i] += out[i + s];
        __syncthreads();
    }
}
