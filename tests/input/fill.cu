__global__ void fill(int *a, int value)
{
    a[blockIdx.x * blockDim.x + threadIdx.x] = value;
}
