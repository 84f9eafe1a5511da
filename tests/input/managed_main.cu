// Host code that is not read: managed memory.
__global__ void fill(int *a)
{
    a[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
int main()
{
    int *a;
    cudaMallocManaged(&a, 64 * sizeof(int));
    fill<<<2, 32>>>(a);
    cudaDeviceSynchronize();
    cudaFree(a);
    return 0;
}
