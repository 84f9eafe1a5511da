// gridlock: verdict = passed
// gridlock: grid = 2
// gridlock: block = 1
// gridlock: cooperative = yes
// gridlock: why = a cooperative launch has all blocks resident, so that all of them come

__device__ int arrived;

__global__ void meet(int *out)
{
    __threadfence();
    atomicAdd(&arrived, 1);
    while (atomicAdd(&arrived, 0) < gridDim.x) {
    }
    __threadfence();
    out[blockIdx.x] = 1;
}
