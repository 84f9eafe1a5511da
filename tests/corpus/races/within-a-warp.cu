// gridlock: verdict = passed
// gridlock: block = 32
// gridlock: few-block = 2
// gridlock: why = the warp barrier orders the two lanes that share a cell

__global__ void swap_pairs(int *a, int *cell)
{
    int lane = threadIdx.x;
    cell[lane] = a[lane];
    __syncwarp();
    a[lane] = cell[lane ^ 1];
}
