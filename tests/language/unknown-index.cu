// gridlock: verdict = passed
// gridlock: grid = 1
// gridlock: block = 8
// gridlock: why = whoever is told to write does so atomically

__device__ bool chosen(int round);

__global__ void pick(int *out)
{
    for (int round = 0; round < 4; ++round)
        if (chosen(round))
            atomicMax(out, threadIdx.x);
}
