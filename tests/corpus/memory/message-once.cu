// gridlock: verdict = proved
// gridlock: why = a closed program: who sees the flag sees the data in every run there is

#include <cassert>

__device__ int flag;
__device__ int data;

__global__ void message()
{
    if (blockIdx.x == 0) {
        data = 42;
        __threadfence();
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
