// The first kernel has a race; the second is not decided in seconds.
__global__ void racy(int *a) { a[0] = threadIdx.x; }

__global__ void lock(int *lock, int *count) {
  while (atomicCAS(lock, 0, 1) != 0) { }
  __threadfence();
  *count = *count + 1;
  __threadfence();
  atomicExch(lock, 0);
}
