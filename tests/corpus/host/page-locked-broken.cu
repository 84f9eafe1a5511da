// gridlock: verdict = unknown
// gridlock: kind = limit
// gridlock: kernel = main
// gridlock: why = a device may use page-locked memory of the host: nothing is known of it

#include <cuda_runtime.h>

__global__ void fill(int *a)
{
    a[threadIdx.x] = threadIdx.x;
}

int main()
{
    int *a;
    cudaMallocHost(&a, 32 * sizeof(int));
    fill<<<1, 32>>>(a);
    cudaDeviceSynchronize();
    int seen = a[3] - 3;
    cudaFreeHost(a);
    return seen;
}
