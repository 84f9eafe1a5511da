#define TILE 8

__global__ void product(float *c, const float *a, const float *b, int n)
{
    __shared__ float as[TILE][TILE], bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = blockIdx.x * TILE + tx;
    int y = blockIdx.y * TILE + ty;
    float sum = 0;
    for (int m = 0; m < n / TILE; m++) {
        as[ty][tx] = a[y * n + m * TILE + tx];
        bs[ty][tx] = b[(m * TILE + ty) * n + x];
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += as[ty][k] * bs[k][tx];
        __syncthreads();
    }
    c[y * n + x] = sum;
}
