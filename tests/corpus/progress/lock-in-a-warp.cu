// gridlock: verdict = passed
// gridlock: profile = lockstep-warp
// gridlock: block = 2
// gridlock: why = the holder gives the lock back before the lanes meet again

__device__ int lock;
__device__ int users;

__global__ void one_at_a_time(int *out)
{
    bool done = false;
    while (!done) {
        if (atomicCAS(&lock, 0, 1) == 0) {
            atomicAdd(&users, 1);
            atomicExch(&lock, 0);
            done = true;
        }
    }
}
