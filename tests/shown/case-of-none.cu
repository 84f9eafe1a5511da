// The same result, by another way.
__global__ void classify(const int *values, int *out, int mode)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = values[i];
    out[i] = v == 12345 ? 1 : v < 0 ? -1 : 1;
}
