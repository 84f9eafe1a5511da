__global__ void unset_or_race(int *out) {
  __shared__ int s[2];
  int tid = threadIdx.x;
  if (tid == 1) s[0] = 7;
  if (tid == 0) out[0] = s[0];
}
