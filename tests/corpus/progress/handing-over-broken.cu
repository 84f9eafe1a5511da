// gridlock: verdict = refuted
// gridlock: kind = livelock
// gridlock: grid = 2
// gridlock: block = 1
// gridlock: why = block 0 waits for block 1, which may get no place before block 0 has ended

__device__ int ready;
__device__ int value;

__global__ void hand_over(int *out)
{
    if (blockIdx.x == 1) {
        value = 42;
        __threadfence();
        atomicExch(&ready, 1);
    } else {
        while (atomicAdd(&ready, 0) == 0) { // <-- guilty
        }
        __threadfence();
        out[0] = value;
    }
}
