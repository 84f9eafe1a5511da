__global__ void product(float *c, const float *a, const float *b, int n)
{
    __requires(n > 0 && n <= 32768 && n % 16 == 0);
    __requires(gridDim.x == n / 16 && gridDim.y == n / 16);
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n && col < n) {
        float s = 0;
        for (int k = 0; k < n; k++) s += a[row * n + k] * b[k * n + col];
        c[row * n + col] = s;
    }
}
