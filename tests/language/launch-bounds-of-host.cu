// gridlock: verdict = passed
// gridlock: why = the blocks that host code launches are as large as the kernel takes

__launch_bounds__(64) __global__ void fill(int *a)
{
    a[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

int main()
{
    int *a;
    cudaMalloc(&a, 128 * sizeof(int));
    fill<<<2, 64>>>(a);
    cudaDeviceSynchronize();
    cudaFree(a);
    return 0;
}
