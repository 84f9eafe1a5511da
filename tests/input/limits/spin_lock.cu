__global__ void k(int *lock, int *count) {
  while (atomicCAS(lock, 0, 1) != 0) { }
  __threadfence();
  *count = *count + 1;
  __threadfence();
  atomicExch(lock, 0);
}
