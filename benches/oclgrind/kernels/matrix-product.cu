// The product of two square matrices, tile by tile.
__global__ void matrix_product(const float *a, const float *b, float *c, int n) {
  __shared__ float as[16][16];
  __shared__ float bs[16][16];
  int tx = threadIdx.x;
  int ty = threadIdx.y;
  int row = blockIdx.y * 16 + ty;
  int column = blockIdx.x * 16 + tx;
  float sum = 0.0f;
  for (int m = 0; m < n / 16; m++) {
    as[ty][tx] = a[row * n + m * 16 + tx];
    bs[ty][tx] = b[(m * 16 + ty) * n + column];
    __syncthreads();
    for (int k = 0; k < 16; k++)
      sum += as[ty][k] * bs[k][tx];
    __syncthreads();
  }
  c[row * n + column] = sum;
}
