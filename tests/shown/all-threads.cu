__global__ void all(int *a, int n)
{
    __assert(n == (int)(gridDim.x * blockDim.x));
    a[blockIdx.x * blockDim.x + threadIdx.x] = n;
}
