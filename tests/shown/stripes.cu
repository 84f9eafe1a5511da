// Blocks of 512 threads are meant: of larger ones the last threads do what the next block does.
__global__ void stripes(int *a, int n)
{
    int i = blockIdx.x * 512 + threadIdx.x;
    if (i < n)
        a[i] = threadIdx.x;
}
