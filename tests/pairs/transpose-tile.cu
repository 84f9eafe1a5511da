// launch: --grid 2,2 --block 8,8
// after: proved
// wrong: refuted

// A tile goes through shared memory, with a column more against conflicts of banks.
#define N 16
#define TILED(LAST) \
    __shared__ float tile[8][9]; \
    int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y; \
    tile[threadIdx.y][threadIdx.x] = in[y * N + x]; \
    __syncthreads(); \
    int column = blockIdx.y * 8 + threadIdx.x, row = blockIdx.x * 8 + threadIdx.y; \
    out[row * N + column] = tile[threadIdx.x][LAST];
__global__ void before(const float *in, float *out)
{
    int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    out[x * N + y] = in[y * N + x];
}
__global__ void after(const float *in, float *out) { TILED(threadIdx.y) }
// One cell of each tile.
__global__ void wrong(const float *in, float *out)
{
    TILED(threadIdx.y - (threadIdx.x == 7 && threadIdx.y == 6))
}
