// Host code that is not read: a question to a stream.
__global__ void fill(int *a)
{
    a[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
int main()
{
    int *a; cudaMalloc(&a, 64 * sizeof(int));
    cudaStreamQuery(0);
    fill<<<2, 32>>>(a);
    cudaDeviceSynchronize();
    return 0;
}
