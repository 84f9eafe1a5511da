// launch: --arg n=70
// after: proved
// wrong: refuted

// A loop of the host, and a launch with its copies; the wrong one does not copy the result back whole.
__global__ void saxpy(float s, const float *x, float *y, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = s * x[i] + y[i];
}
void before(float s, const float *x, float *y, int n)
{
    for (int i = 0; i < n; i++) y[i] = s * x[i] + y[i];
}
void on_device(float s, const float *x, float *y, int n, int back)
{
    float *dx, *dy;
    cudaMalloc(&dx, n * sizeof(float));
    cudaMalloc(&dy, n * sizeof(float));
    cudaMemcpy(dx, x, n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(dy, y, n * sizeof(float), cudaMemcpyHostToDevice);
    saxpy<<<2, 32>>>(s, dx, dy, n);
    cudaMemcpy(y, dy, back * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(dx);
    cudaFree(dy);
}
void after(float s, const float *x, float *y, int n) { on_device(s, x, y, n, n); }
void wrong(float s, const float *x, float *y, int n) { on_device(s, x, y, n, n - 1); }
