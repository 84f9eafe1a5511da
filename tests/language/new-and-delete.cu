// gridlock: verdict = passed
// gridlock: kernel = main
// gridlock: why = what new makes is given back by delete, after its last use

__global__ void halve(int *a)
{
    a[threadIdx.x] /= 2;
}

int main()
{
    int *host = new int[32]();
    double *scale = new double(4.0);
    for (int i = 0; i < 32; i++)
        host[i] = i * (int)*scale;
    int *device;
    cudaMalloc(&device, 32 * sizeof(int));
    cudaMemcpy(device, host, 32 * sizeof(int), cudaMemcpyHostToDevice);
    halve<<<1, 32>>>(device);
    cudaMemcpy(host, device, 32 * sizeof(int), cudaMemcpyDeviceToHost);
    assert(host[31] == 62);
    cudaFree(device);
    delete scale;
    delete[] host;
    return 0;
}
