// Exclusive prefix sums of a block of twice as many elements as threads, up and down a tree.
__global__ void prefix(int *a) {
  __shared__ int s[512];
  int t = threadIdx.x;
  int first = blockIdx.x * 512;
  int step = 1;
  s[2 * t] = a[first + 2 * t];
  s[2 * t + 1] = a[first + 2 * t + 1];
  for (int d = 256; d > 0; d /= 2) {
    __syncthreads();
    if (t < d)
      s[step * (2 * t + 2) - 1] += s[step * (2 * t + 1) - 1];
    step *= 2;
  }
  if (t == 0)
    s[511] = 0;
  for (int d = 1; d < 512; d *= 2) {
    step /= 2;
    __syncthreads();
    if (t < d) {
      int left = step * (2 * t + 1) - 1;
      int right = step * (2 * t + 2) - 1;
      int value = s[left];
      s[left] = s[right];
      s[right] += value;
    }
  }
  __syncthreads();
  a[first + 2 * t] = s[2 * t];
  a[first + 2 * t + 1] = s[2 * t + 1];
}
