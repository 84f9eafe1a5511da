// The same value for many inputs, not for all.
__global__ void found(int *flag, const int *a, int key)
{
    if (a[blockIdx.x * blockDim.x + threadIdx.x] != key)
        flag[0] = a[blockIdx.x * blockDim.x + threadIdx.x] > 90;
}
