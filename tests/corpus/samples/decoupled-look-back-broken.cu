// gridlock: verdict = refuted
// gridlock: kind = livelock
// gridlock: grid = 2
// gridlock: block = 1
// gridlock: extent = in=8
// gridlock: extent = out=8
// gridlock: why = a block may wait for the one before it, which is not resident yet

// Single-pass prefix sums over blocks: each block publishes its sum, waits for the inclusive prefix of
// the block before it, and publishes its own.

#define MAX_TILES 4
#define ITEMS 2

__device__ int tile_counter = 0;
__device__ int tile_prefix[MAX_TILES];
__device__ int tile_ready[MAX_TILES];

__global__ void scan_tiles(const int *in, int *out)
{
    __shared__ int tile;
    __shared__ int exclusive;

    if (threadIdx.x == 0) {
        tile = blockIdx.x;
    }
    __syncthreads();
    int base = (tile * blockDim.x + threadIdx.x) * ITEMS;
    int items[ITEMS];
    int sum = 0;
    for (int k = 0; k < ITEMS; k++) {
        sum += in[base + k];
        items[k] = sum;
    }

    if (threadIdx.x == blockDim.x - 1) {
        int before = 0;
        if (tile > 0) {
            while (atomicAdd(&tile_ready[tile - 1], 0) == 0) { // <-- guilty
            }
            __threadfence();
            before = tile_prefix[tile - 1];
        }
        exclusive = before;
        tile_prefix[tile] = before + sum;
        __threadfence();
        atomicExch(&tile_ready[tile], 1);
    }
    __syncthreads();
    for (int k = 0; k < ITEMS; k++)
        out[base + k] = exclusive + items[k];
}
