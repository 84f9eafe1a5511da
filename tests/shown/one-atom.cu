// All atoms of a block write one cell.
__global__ void atoms(int *f, int numatoms)
{
    if ((int)threadIdx.x < numatoms)
        f[blockIdx.x] = threadIdx.x;
}
