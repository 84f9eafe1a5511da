// condition: gridDim.x == 1 or n <= blockDim.x
// extent: a=n
__global__ void shift(int *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = 0;
    if (0 < i && i < n)
        v = a[i - 1];
    __syncthreads();
    if (i < n)
        a[i] = v;
}
