// condition: gridDim.x == 1 or n <= blockDim.x + 1
// extent: a=n
// The barrier orders the threads of a block; the last of one and the first of the next meet.
__global__ void shift(int *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = 0;
    if (i + 1 < n)
        v = a[i + 1];
    __syncthreads();
    if (i + 1 < n)
        a[i] = v;
}
