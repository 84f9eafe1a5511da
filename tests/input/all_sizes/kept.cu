// One of 32 elements, whatever n is.
__global__ void k(int *out, const int *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, v = 0;
    if (n < -1000)
        v = in[(n + threadIdx.x) & 31];
    out[i] = v - v;
}
