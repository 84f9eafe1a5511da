// gridlock: verdict = passed
// gridlock: grid = 2
// gridlock: block = 1
// gridlock: why = fence; atomic; atomic; fence: who sees the flag sees the data

__device__ int flag;
__device__ int data;

__global__ void message(int *out)
{
    if (blockIdx.x == 0) {
        data = 42;
        __threadfence();
        atomicExch(&flag, 1);
    } else if (atomicAdd(&flag, 0) == 1) {
        __threadfence();
        out[0] = data;
    }
}
