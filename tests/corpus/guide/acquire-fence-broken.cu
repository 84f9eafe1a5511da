// gridlock: verdict = unknown
// gridlock: grid = 3
// gridlock: block = 2
// gridlock: arg = N=4
// gridlock: why = the same under cuda: nothing but a fence makes the barrier acquire

__device__ unsigned int count = 0;
__shared__ bool isLastBlockDone;

__global__ void sum(const int *array, unsigned int N, volatile int *result)
{
    int partialSum = 0;
    for (unsigned i = blockIdx.x; i < N; i += gridDim.x)
        partialSum += array[i];
    if (threadIdx.x == 0) {
        result[blockIdx.x] = partialSum;
        __threadfence();
        unsigned int value = atomicInc(&count, gridDim.x);
        isLastBlockDone = (value == (gridDim.x - 1));
    }
    __syncthreads();
    if (isLastBlockDone && threadIdx.x == 0) {
        int totalSum = 0;
        for (unsigned i = 0; i < gridDim.x; i++)
            totalSum += result[i];
        result[0] = totalSum;
        count = 0;
    }
}
