// gridlock: verdict = passed
// gridlock: grid = 2
// gridlock: block = 8
// gridlock: extent = in=16
// gridlock: extent = out=2
// gridlock: why = a barrier stands between the levels of the tree

__global__ void sum(const int *in, int *out)
{
    __shared__ int part[64];
    int tid = threadIdx.x;
    part[tid] = in[blockIdx.x * blockDim.x + threadIdx.x];
    __syncthreads();
    for (unsigned s = 1; s < blockDim.x; s *= 2) {
        int index = 2 * s * tid;
        if (index < blockDim.x)
            part[index] += part[index + s];
        __syncthreads();
    }
    if (tid == 0)
        out[blockIdx.x] = part[0];
}
