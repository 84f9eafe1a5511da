__global__ void copy(int *out, const int *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = i < n ? in[i] : 0;
    for (int left = v; left > 0; left /= 2)
        v += 0;
    if (i < n)
        out[i] = v;
}
