// gridlock: verdict = unknown
// gridlock: kind = weak-memory
// gridlock: grid = 2
// gridlock: block = 1
// gridlock: why = nothing keeps the data behind the flag for who writes them

__device__ int flag;
__device__ int data;

__global__ void message(int *out)
{
    if (blockIdx.x == 0) {
        data = 42;
        atomicExch(&flag, 1);
    } else if (atomicAdd(&flag, 0) == 1) {
        __threadfence();
        out[0] = data;
    }
}
