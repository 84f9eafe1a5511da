// Two cells of each thread, n apart.
__global__ void apart(int *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = 1;
    a[i + n] = 2;
}
