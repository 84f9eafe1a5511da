// gridlock: verdict = refuted
// gridlock: kind = livelock
// gridlock: block = 2
// gridlock: why = nobody raises the flag, and sleeping longer and longer between the looks at it changes nothing

__device__ int flag;

__global__ void wait()
{
    unsigned int ns = 8;
    while (atomicAdd(&flag, 0) == 0) // <-- guilty
        __nanosleep(++ns);
}
