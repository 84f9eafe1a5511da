// One of 32 elements, for n that are not negative.
__global__ void k(int *out, const int *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, v = 0;
    if (n < -1000)
        v = in[(n + (int)threadIdx.x) % 32];
    out[i] = v - v;
}
