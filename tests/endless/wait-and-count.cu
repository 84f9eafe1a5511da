// gridlock: verdict = passed
// gridlock: block = 2
// gridlock: why = thread 0 raises the flag before it waits

__device__ int flag;

__global__ void wait()
{
    if (threadIdx.x == 0)
        atomicExch(&flag, 1);
    while (atomicAdd(&flag, 0) == 0) { }
}
