// gridlock: verdict = refuted
// gridlock: kind = livelock
// gridlock: block = 2
// gridlock: why = nobody raises the flag, and counting how often it was looked at changes nothing

__device__ int flag;

__global__ void wait(int *seen)
{
    int tries = 0;
    while (atomicAdd(&flag, 0) == 0) // <-- guilty
        seen[threadIdx.x] = ++tries;
}
