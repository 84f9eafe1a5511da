__global__ void classify(const int *a, int *out, int mode)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = a[i] < 0 ? -1 : 1;
}
