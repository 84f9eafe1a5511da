// gridlock: verdict = passed
// gridlock: grid = 2
// gridlock: block = 1
// gridlock: cooperative = yes
// gridlock: why = a cooperative launch has both blocks resident, so that the producer moves

__device__ int ready;
__device__ int value;

__global__ void hand_over(int *out)
{
    if (blockIdx.x == 1) {
        value = 42;
        __threadfence();
        atomicExch(&ready, 1);
    } else {
        while (atomicAdd(&ready, 0) == 0) {
        }
        __threadfence();
        out[0] = value;
    }
}
