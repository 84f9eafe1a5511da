// gridlock: verdict = refuted
// gridlock: kind = use-after-free
// gridlock: kernel = main
// gridlock: why = the host looks at an array that it has deleted

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
    cudaFree(device);
    delete scale;
    delete[] host;
    return host[31]; // <-- guilty
}
