__global__ void always(int *a, int n)
{
    if (threadIdx.x == 0)
        a[blockIdx.x] = threadIdx.x + n;
}
