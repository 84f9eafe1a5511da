// gridlock: verdict = refuted
// gridlock: kind = livelock
// gridlock: profile = lockstep-warp
// gridlock: block = 2
// gridlock: why = the lanes that wait for the lock keep the lane that holds it from going on

__device__ int lock;
__device__ int users;

__global__ void one_at_a_time(int *out)
{
    while (atomicCAS(&lock, 0, 1) != 0) { // <-- guilty
    }
    atomicAdd(&users, 1);
    atomicExch(&lock, 0);
}
