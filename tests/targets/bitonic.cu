// Bitonic sort: a launch for each step of two nested loops on the host.

#include <cuda_runtime.h>

__global__ void compare(int *a, int n, int k, int j)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int other = i ^ j;
    if (i < n && other > i) {
        bool ascending = (i & k) == 0;
        if ((a[i] > a[other]) == ascending) {
            int kept = a[i];
            a[i] = a[other];
            a[other] = kept;
        }
    }
}

void sort(int *a, int n)
{
    int *d_a;
    cudaMalloc((void **)&d_a, n * sizeof(int));
    cudaMemcpy(d_a, a, n * sizeof(int), cudaMemcpyHostToDevice);
    for (int k = 2; k <= n; k *= 2)
        for (int j = k / 2; j > 0; j /= 2)
            compare<<<(n + 3) / 4, 4>>>(d_a, n, k, j);
    cudaMemcpy(a, d_a, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_a);
}
