// gridlock: verdict = passed
// gridlock: grid = 2
// gridlock: block = 2
// gridlock: extent = mutex=1
// gridlock: extent = count=1
// gridlock: contents = mutex=zero
// gridlock: why = the lock is released where its block is left, by a return, too

struct Lock {
    int *mutex;
    __device__ explicit Lock(int *mutex) : mutex(mutex)
    {
        while (atomicCAS(mutex, 0, 1) != 0) {
        }
        __threadfence();
    }
    __device__ ~Lock()
    {
        __threadfence();
        atomicExch(mutex, 0);
    }
};

__global__ void counted(int *mutex, int *count)
{
    if (threadIdx.x == 0) {
        Lock lock(mutex);
        if (*count == 7)
            return;
        *count += 1;
    }
}
