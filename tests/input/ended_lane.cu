__global__ void k(int *a, int *c)
{
    int v = atomicAdd(c, 1);
    if (threadIdx.x == 1) {
        __syncwarp();
        a[0] = 5;
    } else if (v == 1) {
        a[0] = 5;
    }
}
