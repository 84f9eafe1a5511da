// gridlock: verdict = proved
// gridlock: why = each thread writes its own element, on the first device, which is the current one

#include <cuda_runtime.h>

__global__ void fill(int *a)
{
    a[threadIdx.x] = threadIdx.x;
}

int main()
{
    int *a, host[32];
    cudaSetDevice(0);
    cudaMalloc(&a, 32 * sizeof(int));
    fill<<<1, 32>>>(a);
    cudaMemcpy(host, a, 32 * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(a);
    return host[7] != 7;
}
