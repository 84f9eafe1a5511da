__global__ void bins(unsigned *count, const unsigned char *data, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        count[data[i]]++;
}
