// Four streams, each with a quarter of the data: copies and launches that overlap.
#include "check.h"

__global__ void square(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = x[i] * x[i];
}

int main()
{
    const int streams = 4, n = 1 << 20, part = n / streams;
    float *host, *device;
    CHECK(cudaMallocHost(&host, n * sizeof(float)));
    CHECK(cudaMalloc(&device, n * sizeof(float)));
    for (int i = 0; i < n; i++)
        host[i] = (float)(i % 100);
    cudaStream_t stream[streams];
    for (int s = 0; s < streams; s++)
        CHECK(cudaStreamCreate(&stream[s]));
    for (int s = 0; s < streams; s++) {
        int at = s * part;
        CHECK(cudaMemcpyAsync(device + at, host + at, part * sizeof(float), cudaMemcpyHostToDevice,
                              stream[s]));
        square<<<part / 256, 256, 0, stream[s]>>>(device + at, part);
        CHECK(cudaMemcpyAsync(host + at, device + at, part * sizeof(float), cudaMemcpyDeviceToHost,
                              stream[s]));
    }
    for (int s = 0; s < streams - 1; s++)
        CHECK(cudaStreamSynchronize(stream[s]));
    int wrong = 0;
    for (int i = 0; i < n; i++)
        wrong += host[i] != (float)((i % 100) * (i % 100));
    std::printf("%d wrong\n", wrong);
    for (int s = 0; s < streams; s++)
        CHECK(cudaStreamDestroy(stream[s]));
    CHECK(cudaFreeHost(host));
    CHECK(cudaFree(device));
    return wrong != 0;
}
