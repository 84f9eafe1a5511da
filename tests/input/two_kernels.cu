__global__ void good(int *a)
{
    a[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

__global__ void with_assembly(int *a)
{
    asm("trap_door.gl;");
    a[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
