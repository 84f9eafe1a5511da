// launch: --arg n=100
// after: proved
// wrong: refuted

// Two launches with an array between them, and one; the wrong one differs at one value.
__global__ void square(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] * in[i];
}
__global__ void shift(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] + 0.5f;
}
template <bool Differs> __global__ void both(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = Differs && in[i] == 12345.0f ? 0.0f : in[i] * in[i] + 0.5f;
}
void before(const float *a, float *b, int n)
{
    float *in, *middle, *out;
    cudaMalloc(&in, n * sizeof(float));
    cudaMalloc(&middle, n * sizeof(float));
    cudaMalloc(&out, n * sizeof(float));
    cudaMemcpy(in, a, n * sizeof(float), cudaMemcpyHostToDevice);
    square<<<(n + 31) / 32, 32>>>(in, middle, n);
    shift<<<(n + 31) / 32, 32>>>(middle, out, n);
    cudaMemcpy(b, out, n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(middle);
    cudaFree(out);
}
template <bool Differs> void one(const float *a, float *b, int n)
{
    float *in, *out;
    cudaMalloc(&in, n * sizeof(float));
    cudaMalloc(&out, n * sizeof(float));
    cudaMemcpy(in, a, n * sizeof(float), cudaMemcpyHostToDevice);
    both<Differs><<<(n + 31) / 32, 32>>>(in, out, n);
    cudaMemcpy(b, out, n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
}
void after(const float *a, float *b, int n) { one<false>(a, b, n); }
void wrong(const float *a, float *b, int n) { one<true>(a, b, n); }
