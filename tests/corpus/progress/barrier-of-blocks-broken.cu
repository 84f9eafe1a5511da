// gridlock: verdict = refuted
// gridlock: kind = livelock
// gridlock: grid = 2
// gridlock: block = 1
// gridlock: why = in an ordinary launch a block may get no place before another has ended

__device__ int arrived;

__global__ void meet(int *out)
{
    __threadfence();
    atomicAdd(&arrived, 1);
    while (atomicAdd(&arrived, 0) < gridDim.x) { // <-- guilty
    }
    __threadfence();
    out[blockIdx.x] = 1;
}
