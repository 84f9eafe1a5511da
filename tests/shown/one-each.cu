__global__ void atoms(int *f, int numatoms)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < numatoms)
        f[i] = threadIdx.x;
}
