// gridlock: verdict = passed
// gridlock: grid = 2,2
// gridlock: block = 6,6
// gridlock: arg = width=9
// gridlock: arg = height=7
// gridlock: extent = in=63
// gridlock: extent = out=63
// gridlock: extent = mask=9
// gridlock: why = all threads load and meet; those of the halo then have nothing to compute

// 3 x 3 filter: a block of BLOCK_W^2 threads loads its tile and computes its O_TILE^2 inside.

#define MASK_WIDTH 3
#define O_TILE 4
#define BLOCK_W (O_TILE + MASK_WIDTH - 1)

__global__ void convolution_2d(const float *__restrict__ in, float *__restrict__ out, int width, int height,
                               const float *__restrict__ mask)
{
    __shared__ float tile[BLOCK_W][BLOCK_W];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row_o = blockIdx.y * O_TILE + ty;
    int col_o = blockIdx.x * O_TILE + tx;
    int row_i = row_o - MASK_WIDTH / 2;
    int col_i = col_o - MASK_WIDTH / 2;

    if (row_i >= 0 && row_i < height && col_i >= 0 && col_i < width)
        tile[ty][tx] = in[row_i * width + col_i];
    else
        tile[ty][tx] = 0.0f;
    __syncthreads();

    if (ty < O_TILE && tx < O_TILE) {
        float acc = 0.0f;
        for (int i = 0; i < MASK_WIDTH; i++)
            for (int j = 0; j < MASK_WIDTH; j++)
                acc += mask[i * MASK_WIDTH + j] * tile[ty + i][tx + j];
        if (row_o < height && col_o < width)
            out[row_o * width + col_o] = acc;
    }
}
