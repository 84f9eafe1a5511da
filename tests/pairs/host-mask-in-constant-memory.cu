// launch: --arg n=40
// after: proved
// wrong: refuted

// A convolution whose mask the host puts into constant memory, with tiles and without; the wrong one has no halo on the right.
__constant__ float mask[3];
__global__ void plain(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < 3; k++)
        if (i + k - 1 >= 0 && i + k - 1 < n) sum += mask[k] * in[i + k - 1];
    if (i < n) out[i] = sum;
}
__global__ void tiled(const float *in, float *out, int n, int halo)
{
    __shared__ float s[18];
    int t = threadIdx.x, i = blockIdx.x * 16 + t;
    s[t + 1] = i < n ? in[i] : 0.0f;
    if (t == 0) s[0] = i > 0 ? in[i - 1] : 0.0f;
    if (t == 15) s[17] = i + 1 < n ? in[i + halo] : 0.0f;
    __syncthreads();
    float sum = 0.0f;
    for (int k = 0; k < 3; k++)
        if (i + k - 1 >= 0 && i + k - 1 < n) sum += mask[k] * s[t + k];
    if (i < n) out[i] = sum;
}
void convolve(const float *a, const float *m, float *b, int n, bool by_tiles, int halo)
{
    float *in, *out;
    cudaMalloc(&in, n * sizeof(float));
    cudaMalloc(&out, n * sizeof(float));
    cudaMemcpyToSymbol(mask, m, 3 * sizeof(float));
    cudaMemcpy(in, a, n * sizeof(float), cudaMemcpyHostToDevice);
    if (by_tiles)
        tiled<<<3, 16>>>(in, out, n, halo);
    else
        plain<<<2, 20>>>(in, out, n);
    cudaMemcpy(b, out, n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
}
void before(const float *a, const float *m, float *b, int n) { convolve(a, m, b, n, false, 0); }
void after(const float *a, const float *m, float *b, int n) { convolve(a, m, b, n, true, 1); }
void wrong(const float *a, const float *m, float *b, int n) { convolve(a, m, b, n, true, 0); }
