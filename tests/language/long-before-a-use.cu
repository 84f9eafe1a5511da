// gridlock: verdict = proved
// gridlock: why = the host waits for the launch before it uses what that leaves in managed memory

#include <cuda_runtime.h>

__global__ void twice(int n, int *a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = 2 * a[i];
}

int main()
{
    const int n = 1 << 16;
    int *a;
    cudaMallocManaged(&a, n * sizeof(int));
    for (int i = 0; i < n; i++)
        a[i] = i;
    twice<<<(n + 255) / 256, 256>>>(n, a);
    cudaDeviceSynchronize();
    int sum = 0;
    for (int i = 0; i < 100; i++)
        sum += a[i];
    cudaFree(a);
    return sum == 9900 ? 0 : 1;
}
