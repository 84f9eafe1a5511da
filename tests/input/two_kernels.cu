__global__ void good(int *a)
{
    a[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

__global__ void with_assembly(int *a)
{
    asm("membar.gl;");
    a[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
