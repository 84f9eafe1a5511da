// gridlock: verdict = passed
// gridlock: block = 2
// gridlock: why = thread 0 raises the flag before it waits, and a thread that sleeps wakes

__device__ int flag;

__global__ void wait()
{
    unsigned int ns = 8;
    if (threadIdx.x == 0)
        atomicExch(&flag, 1);
    while (atomicAdd(&flag, 0) == 0) {
        __nanosleep(ns);
        if (ns < 256)
            ns *= 2;
    }
}
