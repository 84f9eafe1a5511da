// gridlock: verdict = unknown
// gridlock: kind = weak-memory
// gridlock: grid = 2
// gridlock: block = 1
// gridlock: why = the lock is given back before what it guards need be seen

__device__ int lock;
__device__ int total;

__global__ void try_lock(int *out)
{
    if (atomicCAS(&lock, 0, 1) == 0) {
        __threadfence();
        total = total + 1;
        atomicExch(&lock, 0);
    }
}
