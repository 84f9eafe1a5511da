__global__ void k(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int twice = 2 * in[i];
    out[i] = twice + 1;
}
