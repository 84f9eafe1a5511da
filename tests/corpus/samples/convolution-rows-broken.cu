// gridlock: verdict = refuted
// gridlock: kind = uninitialised-read
// gridlock: grid = 3,2
// gridlock: block = 8,2
// gridlock: arg = width=20
// gridlock: arg = height=3
// gridlock: extent = src=60
// gridlock: extent = dst=60
// gridlock: why = the halo on the right has one element too few

// Rows of a separable filter: each block keeps its part of a row with a halo in shared memory.

#define RADIUS 3
#define TILE_W 8
#define TILE_H 2

__constant__ float c_kernel[2 * RADIUS + 1] = {0.03f, 0.11f, 0.22f, 0.28f, 0.22f, 0.11f, 0.03f};

__global__ void convolution_rows(float *__restrict__ dst, const float *__restrict__ src, int width, int height)
{
    __shared__ float s_row[TILE_H][TILE_W + 2 * RADIUS];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int x = blockIdx.x * TILE_W + tx;
    const int y = blockIdx.y * TILE_H + ty;
    const bool inside = y < height;

    s_row[ty][tx + RADIUS] = inside && x < width ? src[y * width + x] : 0.0f;
    if (tx < RADIUS) {
        int left = x - RADIUS;
        s_row[ty][tx] = inside && left >= 0 ? src[y * width + left] : 0.0f;
    }
    if (tx > TILE_W - RADIUS) {
        int right = x + RADIUS;
        s_row[ty][tx + 2 * RADIUS] = inside && right < width ? src[y * width + right] : 0.0f;
    }
    __syncthreads();

    if (inside && x < width) {
        float sum = 0.0f;
        for (int k = -RADIUS; k <= RADIUS; k++)
            sum += c_kernel[RADIUS - k] * s_row[ty][tx + RADIUS + k]; // <-- guilty
        dst[y * width + x] = sum;
    }
}
