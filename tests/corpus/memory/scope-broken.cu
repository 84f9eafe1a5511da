// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: grid = 2
// gridlock: block = 2
// gridlock: why = atomics of the block's scope are none between blocks

__global__ void count(int *total)
{
    atomicAdd_block(total, 1); // <-- guilty
}
