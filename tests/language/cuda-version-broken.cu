// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: kind = uninitialised-read
// gridlock: grid = 2
// gridlock: block = 64
// gridlock: extent = sums=2
// gridlock: why = the version of the driver's header is none without the newer barrier

#include <cuda.h>

#if CUDA_VERSION < 9000 && CUDART_VERSION >= 9000 && __CUDACC_VER_MAJOR__ >= 9
#define MEET() __syncthreads()
#else
#define MEET()
#endif

__global__ void sum(int *sums)
{
    __shared__ int part[64];
    part[threadIdx.x] = threadIdx.x;
    MEET();
    if (threadIdx.x == 0)
        sums[blockIdx.x] = part[0] + part[63]; // <-- guilty
}
