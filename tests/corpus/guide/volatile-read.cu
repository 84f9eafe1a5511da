// gridlock: verdict = passed
// gridlock: profile = cuda-guide
// gridlock: grid = 3
// gridlock: block = 2
// gridlock: arg = N=4
// gridlock: why = all threads of the last block read, each behind the barrier

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
    if (isLastBlockDone) {
        __shared__ int parts[2];
        int part = 0;
        for (unsigned i = threadIdx.x; i < gridDim.x; i += 2)
            part += result[i];
        parts[threadIdx.x] = part;
        __syncthreads();
        if (threadIdx.x == 0) {
            result[0] = parts[0] + parts[1];
            count = 0;
        }
    }
}
