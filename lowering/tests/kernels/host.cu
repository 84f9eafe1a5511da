// A whole program: host functions, allocation, several launches.

#include <stdlib.h>

__global__ void scale(int *data, int factor, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        data[i] = data[i] * factor;
}

static int divide_up(int a, int b)
{
    return (a + b - 1) / b;
}

int scaled_sum(const int *numbers, int n, int factor)
{
    int *copy = (int *)malloc(n * sizeof(int));
    int *data;
    cudaMalloc(&data, n * sizeof(int));
    cudaMemcpy(data, numbers, n * sizeof(int), cudaMemcpyHostToDevice);
    for (int round = 0; round < 3; round++)
        scale<<<divide_up(n, 32), 32>>>(data, factor, n);
    cudaDeviceSynchronize();
    cudaMemcpy(copy, data, n * sizeof(int), cudaMemcpyDeviceToHost);
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += copy[i];
    cudaFree(data);
    free(copy);
    return sum;
}
