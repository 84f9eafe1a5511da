__global__ void product(float *c, const float *a, const float *b, int n)
{
    __requires(n > 0 && n <= 32768 && n % 16 == 0);
    __requires(gridDim.x == n / 16 && gridDim.y == n / 16);
    __shared__ float x[16][16], y[16][16];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
    float s = 0;
    for (int m = 0; m < n / 16; m++) {
        x[ty][tx] = a[row * n + m * 16 + tx];
        y[ty][tx] = b[(m * 16 + ty) * n + col];
        __syncthreads();
        for (int k = 0; k < 16; k++) s += x[ty][k] * y[k][tx];
        __syncthreads();
    }
    c[row * n + col] = s;
}
