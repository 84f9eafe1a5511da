// gridlock: verdict = passed
// gridlock: grid = 2
// gridlock: block = 1
// gridlock: why = a fence between the two atomics of each thread

__device__ int x;
__device__ int y;

__global__ void store_buffer(int *out)
{
    if (blockIdx.x == 0) {
        atomicExch(&x, 1);
        __threadfence();
        out[0] = atomicAdd(&y, 0);
    } else {
        atomicExch(&y, 1);
        __threadfence();
        out[1] = atomicAdd(&x, 0);
    }
}
