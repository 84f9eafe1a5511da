// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: why = the file says that there may be two blocks, whose first threads write

__axiom(gridDim.x <= 2);

__axiom(blockDim.x > 2);

__global__ void first(int *a)
{
    if (threadIdx.x == 0)
        a[0] = blockDim.x; // <-- guilty
}
