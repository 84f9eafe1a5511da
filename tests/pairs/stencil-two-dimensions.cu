// launch: --grid 2,2 --block 8,8
// after: proved
// wrong: refuted

// Five points; the tile without corners.
#define N 18
__global__ void before(const int *in, int *out)
{
    int x = blockIdx.x * 8 + threadIdx.x + 1, y = blockIdx.y * 8 + threadIdx.y + 1;
    out[y * N + x] = in[(y - 1) * N + x] + in[y * N + x - 1] - 4 * in[y * N + x] + in[y * N + x + 1] + in[(y + 1) * N + x];
}
#define TILED(ROW) \
    __shared__ int s[10][10]; \
    int tx = threadIdx.x + 1, ty = threadIdx.y + 1, x = blockIdx.x * 8 + tx, y = blockIdx.y * 8 + ty; \
    s[ty][tx] = in[y * N + x]; \
    if (tx == 1) s[ty][0] = in[y * N + x - 1]; \
    if (tx == 8) s[ty][9] = in[y * N + x + 1]; \
    if (ty == 1) s[0][tx] = in[(y - 1) * N + x]; \
    if (ty == 8) s[9][tx] = in[ROW * N + x]; \
    __syncthreads(); \
    out[y * N + x] = s[ty - 1][tx] + s[ty][tx - 1] - 4 * s[ty][tx] + s[ty][tx + 1] + s[ty + 1][tx];
__global__ void after(const int *in, int *out) { TILED((y + 1)) }
__global__ void wrong(const int *in, int *out) { TILED((x == 16 ? y : y + 1)) }
