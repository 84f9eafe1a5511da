// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: block = 32
// gridlock: few-block = 2
// gridlock: why = lanes of one warp are not ordered by being in one warp

__global__ void swap_pairs(int *a, int *cell)
{
    int lane = threadIdx.x;
    cell[lane] = a[lane]; // <-- guilty
    a[lane] = cell[lane ^ 1]; // <-- guilty
}
