// gridlock: verdict = unknown
// gridlock: kind = weak-memory
// gridlock: why = a closed program: without the writer's fence the flag may be seen before the data

#include <cassert>

__device__ int flag;
__device__ int data;

__global__ void message()
{
    if (blockIdx.x == 0) {
        data = 42;
        atomicExch(&flag, 1);
    } else if (atomicAdd(&flag, 0) == 1) {
        __threadfence();
        assert(data == 42);
    }
}

int main()
{
    message<<<2, 1>>>();
    cudaDeviceSynchronize();
    return 0;
}
