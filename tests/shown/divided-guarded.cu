__global__ void divided(int *a, int num)
{
    a[blockIdx.x * blockDim.x + threadIdx.x] = num == 0 ? 0 : 100 / num;
}
