// gridlock: verdict = passed
// gridlock: grid = 2
// gridlock: block = 32
// gridlock: why = waiting for time to pass ends, and each thread writes its own cell

__device__ unsigned now()
{
    unsigned time;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(time));
    return time;
}

__global__ void stopwatch(long long *spent, unsigned *at)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    long long start = clock64();
    while (clock64() - start < 5000)
        ;
    spent[i] = clock64() - start;
    at[i] = now();
}
