// gridlock: verdict = refuted
// gridlock: kind = invalid-launch
// gridlock: why = a launch with more threads a block than the kernel takes fails

__launch_bounds__(64) __global__ void fill(int *a)
{
    a[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

int main()
{
    int *a;
    cudaMalloc(&a, 128 * sizeof(int));
    fill<<<1, 128>>>(a);
    cudaDeviceSynchronize();
    cudaFree(a);
    return 0;
}
