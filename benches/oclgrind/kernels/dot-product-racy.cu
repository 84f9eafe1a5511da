// dot-product whose blocks add without an atomic operation.
__global__ void dot_product(const int *x, const int *y, int *result, int n) {
  __shared__ int s[256];
  int t = threadIdx.x;
  int sum = 0;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x)
    sum += x[i] * y[i];
  s[t] = sum;
  __syncthreads();
  for (int h = blockDim.x / 2; h > 0; h /= 2) {
    if (t < h)
      s[t] += s[t + h];
    __syncthreads();
  }
  if (t == 0)
    *result += s[0];
}
