// gridlock: verdict = refuted
// gridlock: kind = stale-data
// gridlock: why = the host uses what a launch may still be writing, after a long loop and before a thread has moved

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
    int sum = 0;
    for (int i = 0; i < 100; i++)
        sum += a[i];
    cudaFree(a);
    return sum == 9900 ? 0 : 1;
}
