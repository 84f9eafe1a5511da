// Memory that the host fills and reads itself; a half of it goes to a kernel by its address.

#include <cuda_runtime.h>

__global__ void square(const int *from, int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        to[i] = from[i] * from[i];
}

int squares(const int *numbers, int n)
{
    int *both;
    cudaMallocManaged(&both, 2 * n * sizeof(int));
    for (int i = 0; i < n; i++)
        both[i] = numbers[i];
    square<<<(n + 3) / 4, 4>>>(both, both + n, n);
    cudaDeviceSynchronize();
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += both[n + i];
    cudaFree(both);
    return sum;
}
