// Host code that is not read: a graph of launches.
__global__ void fill(int *a)
{
    a[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
int main()
{
    int *a; cudaMalloc(&a, 64 * sizeof(int));
    cudaGraphLaunch(0, 0);
    fill<<<2, 32>>>(a);
    cudaDeviceSynchronize();
    return 0;
}
