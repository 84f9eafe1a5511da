#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

__global__ void fill(int *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = i;
}

static int *room(int n)
{
    return (int *)malloc(n * sizeof(int));
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        printf("usage: %s COUNT\n", argv[0]);
        return 1;
    }
    int n = atoi(argv[1]);
    int *a;
    int *b = room(n);
    cudaMalloc(&a, n * sizeof(int));
    fill<<<(n + 31) / 32, 32>>>(a, n);
    cudaMemcpy(b, a, n * sizeof(int), cudaMemcpyDeviceToHost);
    int last = b[n];
    return last < 0;
}
