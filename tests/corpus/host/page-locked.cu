// gridlock: verdict = passed
// gridlock: kernel = main
// gridlock: why = page-locked memory of the host is copied to the device and back

#include <cuda_runtime.h>

__global__ void fill(int *a)
{
    a[threadIdx.x] += threadIdx.x;
}

int main()
{
    int *a, *d;
    cudaMallocHost(&a, 32 * sizeof(int));
    cudaMalloc(&d, 32 * sizeof(int));
    for (int i = 0; i < 32; i++)
        a[i] = i;
    cudaMemcpy(d, a, 32 * sizeof(int), cudaMemcpyHostToDevice);
    fill<<<1, 32>>>(d);
    cudaMemcpy(a, d, 32 * sizeof(int), cudaMemcpyDeviceToHost);
    int seen = a[3] - 6;
    cudaFree(d);
    cudaFreeHost(a);
    return seen;
}
