// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: grid = 1
// gridlock: block = 8
// gridlock: why = in some round two threads are told to write, and the cell is one

__device__ bool chosen(int round);

__global__ void pick(int *out)
{
    for (int round = 0; round < 4; ++round)
        if (chosen(round))
            out[0] = threadIdx.x; // <-- guilty
}
