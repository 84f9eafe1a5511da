// gridlock: verdict = passed
// gridlock: grid = 4
// gridlock: block = 6
// gridlock: arg = cols=7
// gridlock: arg = rows=3
// gridlock: extent = wall=21
// gridlock: extent = result=7
// gridlock: why = the halo is as wide as there are steps, and each step computes one column less on either side

// Cheapest path down a grid: a block computes its columns for all rows, with STEPS columns of halo.

#define STEPS 2
#define BLOCK 6
#define NO_PATH 1000000

__global__ void pathfinder(const int *__restrict__ wall, int *__restrict__ result, int rows, int cols)
{
    __shared__ int prev[BLOCK + 2];
    __shared__ int cur[BLOCK + 2];
    const int tx = threadIdx.x;
    const int small_block = BLOCK - 2 * STEPS;
    const int x = blockIdx.x * small_block + tx - STEPS;
    const bool valid = x >= 0 && x < cols;

    prev[tx + 1] = valid ? wall[x] : NO_PATH;
    __syncthreads();
    for (int r = 1; r < rows; r++) {
        const bool computed = tx >= r && tx < BLOCK - r;
        if (computed) {
            int shortest = min(prev[tx], min(prev[tx + 1], prev[tx + 2]));
            cur[tx + 1] = valid ? shortest + wall[r * cols + x] : NO_PATH;
        }
        __syncthreads();
        if (computed)
            prev[tx + 1] = cur[tx + 1];
        __syncthreads();
    }
    if (valid && tx >= STEPS && tx < BLOCK - STEPS)
        result[x] = prev[tx + 1];
}
