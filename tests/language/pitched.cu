// gridlock: verdict = passed
// gridlock: kernel = main
// gridlock: why = rows of a pitched array lie a pitch apart, in copies as in the kernel

__global__ void twice(int *a, size_t pitch, int width)
{
    int *row = a + blockIdx.x * (pitch / sizeof(int));
    if (threadIdx.x < width)
        row[threadIdx.x] *= 2;
}

int main()
{
    const int width = 5, height = 3;
    int host[width * height];
    for (int i = 0; i < width * height; i++)
        host[i] = i;
    int *device;
    size_t pitch;
    const size_t bytes = width * sizeof(int);
    cudaMallocPitch(&device, &pitch, bytes, height);
    cudaMemset2D(device, pitch, 0, bytes, height);
    cudaMemcpy2D(device, pitch, host, bytes, bytes, height, cudaMemcpyHostToDevice);
    twice<<<height, 8>>>(device, pitch, width);
    cudaMemcpy2D(host, bytes, device, pitch, bytes, height, cudaMemcpyDeviceToHost);
    cudaFree(device);
    assert(host[14] == 28);
    return 0;
}
