__global__ void good(int *a)
{
    a[threadIdx.x] = 1;
}

__global__ void with_assembly(int *a)
{
    asm("membar.gl;");
    a[threadIdx.x] = 1;
}
