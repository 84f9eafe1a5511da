__global__ void spread(const int *in, int *out)
{
    __shared__ int part[64];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    part[t] = in[i];
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
        if (t < s)
            part[t] += part[t + s];
        __syncthreads();
    }
    out[i] = part[0];
}
