// gridlock: verdict = refuted
// gridlock: kind = livelock
// gridlock: grid = 2
// gridlock: block = 1
// gridlock: why = the holder of the lock ends without giving it back

__device__ int lock;
__device__ int users;

__global__ void one_at_a_time(int *out)
{
    while (atomicCAS(&lock, 0, 1) != 0) { // <-- guilty
    }
    atomicAdd(&users, 1);
    if (blockIdx.x == 0)
        return;
    atomicExch(&lock, 0);
}
