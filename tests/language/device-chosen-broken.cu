// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: why = neighbours write one element; that the host chooses the first device changes nothing

#include <cuda_runtime.h>

__global__ void fill(int *a)
{
    a[threadIdx.x / 2] = threadIdx.x;
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
