#include <assert.h>

__global__ void behind_bounds(int *out, int n) {
  __shared__ int t[16];
  int tid = threadIdx.x;
  if (tid == 3) t[tid + 6] = 9;
  assert(tid != 500);
  if (tid == 6) out[6] = n / (tid - 5);
  if (tid == 8) out[8] = tid;
}
