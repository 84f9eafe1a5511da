// Nobody comes to the division: the one thread that would is stopped before it, in every run.
__global__ void behind_its_own(int *out, int n) {
  __shared__ int t[8];
  int tid = threadIdx.x;
  if (tid == 3) t[tid + 6] = 9;
  if (tid == 3) out[3] = n / (tid - 3);
}
