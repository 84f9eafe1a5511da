// launch: --arg n=96
// after: proved
// wrong: refuted

// All at once, and by thirds in three streams, copies beside kernels; the wrong one waits for the first two alone before it counts.
__global__ void scale(const float *in, float *out, float by, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] * by;
}
int before(const float *a, float *b, float by, int n)
{
    float *in, *out;
    cudaMalloc(&in, n * sizeof(float));
    cudaMalloc(&out, n * sizeof(float));
    cudaMemcpy(in, a, n * sizeof(float), cudaMemcpyHostToDevice);
    scale<<<(n + 31) / 32, 32>>>(in, out, by, n);
    cudaMemcpy(b, out, n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
    int above = 0;
    for (int i = 0; i < n; i++) above += b[i] > 1.0f;
    return above;
}
template <int Waits> int by_thirds(const float *a, float *b, float by, int n)
{
    const int parts = 3;
    int part = n / parts;
    float *held, *in, *out;
    cudaStream_t stream[parts];
    cudaMallocHost(&held, n * sizeof(float));
    cudaMalloc(&in, n * sizeof(float));
    cudaMalloc(&out, n * sizeof(float));
    for (int i = 0; i < n; i++) held[i] = a[i];
    for (int s = 0; s < parts; s++) cudaStreamCreate(&stream[s]);
    for (int s = 0; s < parts; s++) {
        int at = s * part;
        cudaMemcpyAsync(in + at, held + at, part * sizeof(float), cudaMemcpyHostToDevice, stream[s]);
        scale<<<(part + 31) / 32, 32, 0, stream[s]>>>(in + at, out + at, by, part);
        cudaMemcpyAsync(held + at, out + at, part * sizeof(float), cudaMemcpyDeviceToHost, stream[s]);
    }
    for (int s = 0; s < Waits; s++) cudaStreamSynchronize(stream[s]);
    int above = 0;
    for (int i = 0; i < n; i++) above += held[i] > 1.0f;
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++) b[i] = held[i];
    for (int s = 0; s < parts; s++) cudaStreamDestroy(stream[s]);
    cudaFreeHost(held);
    cudaFree(in);
    cudaFree(out);
    return above;
}
int after(const float *a, float *b, float by, int n) { return by_thirds<3>(a, b, by, n); }
int wrong(const float *a, float *b, float by, int n) { return by_thirds<2>(a, b, by, n); }
