// gridlock: verdict = refuted
// gridlock: kind = stale-data
// gridlock: why = the host reads what a copy of the second stream may still be writing, after a long loop over what it has waited for

#include <cuda_runtime.h>

__global__ void twice(int n, int *a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = 2 * a[i];
}

int main()
{
    const int n = 1 << 16, half = n / 2;
    int *host, *device;
    cudaMallocHost(&host, n * sizeof(int));
    cudaMalloc(&device, n * sizeof(int));
    for (int i = 0; i < n; i++)
        host[i] = i;
    cudaStream_t stream[2];
    for (int s = 0; s < 2; s++) {
        cudaStreamCreate(&stream[s]);
        cudaMemcpyAsync(device + s * half, host + s * half, half * sizeof(int), cudaMemcpyHostToDevice, stream[s]);
        twice<<<half / 256, 256, 0, stream[s]>>>(half, device + s * half);
        cudaMemcpyAsync(host + s * half, device + s * half, half * sizeof(int), cudaMemcpyDeviceToHost, stream[s]);
    }
    cudaStreamSynchronize(stream[0]);
    int wrong = 0;
    for (int i = 0; i < n; i++)
        wrong += host[i] != 2 * i;
    cudaStreamDestroy(stream[0]);
    cudaStreamDestroy(stream[1]);
    cudaFreeHost(host);
    cudaFree(device);
    return wrong;
}
