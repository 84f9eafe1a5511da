__global__ void bins(unsigned *count, const unsigned char *data, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&count[data[i]], 1u);
}
