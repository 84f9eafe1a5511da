// The indices lie in memory that the kernel writes too.
__global__ void mark(int *c, int *e)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    c[e[i]] = i;
    e[i] = 0;
}
