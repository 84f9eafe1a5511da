// gridlock: verdict = passed
// gridlock: grid = 2
// gridlock: block = 1
// gridlock: why = who holds the lock is resident, moves on and gives it back

__device__ int lock;
__device__ int users;

__global__ void one_at_a_time(int *out)
{
    while (atomicCAS(&lock, 0, 1) != 0) {
    }
    atomicAdd(&users, 1);
    atomicExch(&lock, 0);
}
