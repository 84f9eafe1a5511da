// gridlock: verdict = passed
// gridlock: grid = 1
// gridlock: block = 2
// gridlock: why = who counts up to ten ends

__device__ unsigned count;

__global__ void all_count()
{
    while (atomicAdd(&count, 1) < 10) { }
}
