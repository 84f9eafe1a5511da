// condition: n <= 0 or n >= blockDim.x
__global__ void meet(int *a, int n)
{
    int t = threadIdx.x;
    if (t < n)
        __syncthreads();
    a[blockIdx.x * blockDim.x + t] = n;
}
