__global__ void mark(int *c, int *e)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicMax(&c[e[i]], i);
    e[i] = 0;
}
