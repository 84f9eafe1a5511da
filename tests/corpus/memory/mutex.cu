// gridlock: verdict = passed
// gridlock: grid = 2
// gridlock: block = 1
// gridlock: why = who takes the lock has passed a fence, and passes one before giving it back

__device__ int lock;
__device__ int total;

__global__ void try_lock(int *out)
{
    if (atomicCAS(&lock, 0, 1) == 0) {
        __threadfence();
        total = total + 1;
        __threadfence();
        atomicExch(&lock, 0);
    }
}
