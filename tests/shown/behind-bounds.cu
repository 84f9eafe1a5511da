#include <assert.h>

// Each of the later threads does something wrong of its own.
__global__ void behind_bounds(int *out, int n) {
  __shared__ int t[8];
  int tid = threadIdx.x;
  if (tid == 3) t[tid + 6] = 9;
  assert(tid != 5);
  if (tid == 6) out[6] = n / (tid - 6);
  if (tid == 7) __shfl_sync(1u << 3, tid, 0);
  if (tid == 8 || tid == 9) out[8] = tid;
}
