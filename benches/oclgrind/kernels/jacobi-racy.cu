// jacobi in place.
__global__ void jacobi(float *a, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x == 0 || y == 0 || x == n - 1 || y == n - 1)
    return;
  int i = y * n + x;
  a[i] = 0.25f * (a[i - 1] + a[i + 1] + a[i - n] + a[i + n]);
}
