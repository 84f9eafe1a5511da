__global__ void divided(int *a, int num)
{
    a[blockIdx.x * blockDim.x + threadIdx.x] = 100 / num;
}
