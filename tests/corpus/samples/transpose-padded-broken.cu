// gridlock: verdict = refuted
// gridlock: kind = out-of-bounds
// gridlock: grid = 2,2
// gridlock: block = 8,4
// gridlock: arg = width=12
// gridlock: arg = height=10
// gridlock: extent = idata=120
// gridlock: extent = odata=120
// gridlock: why = a row of the result is taken to be as long as one of the matrix read

#define TILE_DIM 8
#define BLOCK_ROWS 4

__global__ void transpose(float *__restrict__ odata, const float *__restrict__ idata, int width, int height)
{
    __shared__ float tile[TILE_DIM][TILE_DIM + 1];
    int x = blockIdx.x * TILE_DIM + threadIdx.x;
    int y = blockIdx.y * TILE_DIM + threadIdx.y;

    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS) {
        if (x < width && y + j < height)
            tile[threadIdx.y + j][threadIdx.x] = idata[(y + j) * width + x];
    }
    __syncthreads();

    x = blockIdx.y * TILE_DIM + threadIdx.x;
    y = blockIdx.x * TILE_DIM + threadIdx.y;
    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS) {
        if (x < height && y + j < width)
            odata[(y + j) * width + x] = tile[threadIdx.x][threadIdx.y + j]; // <-- guilty
    }
}
