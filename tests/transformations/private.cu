__global__ void k(const int *in, int *out)
{
    int t = threadIdx.y * blockDim.x + threadIdx.x;
    int sum = in[t];
    for (int r = 0; r < 3; r++)
        if (sum > 0)
            sum = sum - r;
    out[t] = sum;
}
