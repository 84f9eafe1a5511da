// launch: --grid 2,2 --block 8,8
// after: proved
// wrong: refuted

// Tiles of both operands in shared memory.
#define N 16
#define TILED(BARRIER) \
    __shared__ float s[8][8], t[8][8]; \
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 8 + y, column = blockIdx.x * 8 + x; \
    float sum = 0.0f; \
    for (int at = 0; at < N; at += 8) { \
        s[y][x] = a[row * N + at + x]; \
        t[y][x] = b[(at + y) * N + column]; \
        __syncthreads(); \
        for (int k = 0; k < 8; k++) sum += s[y][k] * t[k][x]; \
        BARRIER; \
    } \
    c[row * N + column] = sum;
__global__ void before(const float *a, const float *b, float *c)
{
    int row = blockIdx.y * 8 + threadIdx.y, column = blockIdx.x * 8 + threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < N; k++) sum += a[row * N + k] * b[k * N + column];
    c[row * N + column] = sum;
}
__global__ void after(const float *a, const float *b, float *c) { TILED(__syncthreads()) }
// The next tile is written while this one is read.
__global__ void wrong(const float *a, const float *b, float *c) { TILED() }
