// launch: --arg n=34 --arg rounds=3
// after: proved
// wrong: refuted

// A stencil again and again: copied each time, and with two arrays that change places; the wrong one gives back the other one.
__global__ void smooth(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1) out[i] = 0.25f * in[i - 1] + 0.5f * in[i] + 0.25f * in[i + 1];
}
void before(float *a, int n, int rounds)
{
    for (int round = 0; round < rounds; round++) {
        float *in, *out;
        cudaMalloc(&in, n * sizeof(float));
        cudaMalloc(&out, n * sizeof(float));
        cudaMemcpy(in, a, n * sizeof(float), cudaMemcpyHostToDevice);
        cudaMemcpy(out, a, n * sizeof(float), cudaMemcpyHostToDevice);
        smooth<<<2, 17>>>(in, out, n);
        cudaMemcpy(a, out, n * sizeof(float), cudaMemcpyDeviceToHost);
        cudaFree(in);
        cudaFree(out);
    }
}
void keep(float *a, int n, int rounds, int turns)
{
    float *in, *out;
    cudaMalloc(&in, n * sizeof(float));
    cudaMalloc(&out, n * sizeof(float));
    cudaMemcpy(in, a, n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(out, in, n * sizeof(float), cudaMemcpyDeviceToDevice);
    for (int round = 0; round < rounds; round++) {
        smooth<<<1, 34>>>(in, out, n);
        float *other = in;
        in = out;
        out = other;
    }
    cudaMemcpy(a, turns ? in : out, n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
}
void after(float *a, int n, int rounds) { keep(a, n, rounds, 1); }
void wrong(float *a, int n, int rounds) { keep(a, n, rounds, 0); }
