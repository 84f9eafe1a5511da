// gridlock: verdict = refuted
// gridlock: kind = out-of-bounds
// gridlock: grid = 2
// gridlock: block = 2
// gridlock: arg = capacity=2
// gridlock: extent = queue=capacity
// gridlock: few-grid = 1
// gridlock: few-block = 2
// gridlock: why = who draws a ticket beyond the end of the queue writes there

// Threads with work to do append it to a queue of fixed size.

__device__ int tail = 0;
__device__ int dropped = 0;

__global__ void enqueue_active(const int *__restrict__ work, int *queue, int capacity)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (work[i] > -90) {
        int slot = atomicAdd(&tail, 1);
        queue[slot] = i; // <-- guilty
        if (slot >= capacity)
            atomicAdd(&dropped, 1);
    }
}
