// gridlock: verdict = passed
// gridlock: grid = 2
// gridlock: block = 2
// gridlock: why = a counter of the whole launch, added to by atomics of the device

__global__ void count(int *total)
{
    atomicAdd(total, 1);
}
