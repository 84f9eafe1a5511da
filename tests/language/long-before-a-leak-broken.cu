// gridlock: verdict = refuted
// gridlock: kind = leak
// gridlock: why = an array of the device is never given back, which shows at the end of a long program

#include <cuda_runtime.h>
#include <vector>

__global__ void twice(int n, int *a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = 2 * a[i];
}

int main()
{
    const int n = 1 << 15;
    std::vector<int> host(n, 1);
    for (int round = 0; round < 3; round++)
        for (int i = 0; i < n; i++)
            host[i] += i;
    int *a;
    cudaMalloc(&a, n * sizeof(int));
    cudaMemcpy(a, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    twice<<<(n + 255) / 256, 256>>>(n, a);
    cudaMemcpy(host.data(), a, n * sizeof(int), cudaMemcpyDeviceToHost);
    return host[5] == 32 ? 0 : 1;
}
