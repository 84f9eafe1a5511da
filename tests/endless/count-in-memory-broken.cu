// gridlock: verdict = refuted
// gridlock: kind = livelock
// gridlock: grid = 2
// gridlock: block = 2
// gridlock: why = all count for ever, and nobody looks at the count

__device__ unsigned count;

__global__ void all_count()
{
    while (true) // <-- guilty
        atomicAdd(&count, 1);
}
