// launch: --grid 2,2 --a-block 8,8 --b-block 8,2
// after: proved
// wrong: refuted

// A thread moves four cells of a column of the tile.
#define N 16
#define BY_FOUR(STEP) \
    __shared__ int tile[8][8]; \
    int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8; \
    for (int k = threadIdx.y; k < 8; k += 2) tile[k][threadIdx.x] = in[(y + k) * N + x]; \
    __syncthreads(); \
    for (int k = threadIdx.y; k < 8; k += STEP) \
        out[(blockIdx.x * 8 + k) * N + y + threadIdx.x] = tile[threadIdx.x][k];
__global__ void before(const int *in, int *out)
{
    int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    out[x * N + y] = in[y * N + x];
}
__global__ void after(const int *in, int *out) { BY_FOUR(2) }
// Rows are left out.
__global__ void wrong(const int *in, int *out) { BY_FOUR(4) }
