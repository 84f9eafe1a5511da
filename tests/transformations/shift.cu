__global__ void shift(const int *in, int *out)
{
    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = in[i];
    if (tid > 0)
        v += out[i - 1];
    __syncthreads();
    out[i] = v;
}
