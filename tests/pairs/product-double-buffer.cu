// launch: --grid 1,2 --block 8,8
// after: proved
// wrong: refuted

// The next tile is fetched while this one is multiplied.
#define N 16
#define BUFFERED(OTHER) \
    __shared__ int s[2][8][8], t[2][8][8]; \
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 8 + y; \
    s[0][y][x] = a[row * N + x]; \
    t[0][y][x] = b[y * 8 + x]; \
    __syncthreads(); \
    int sum = 0; \
    for (int tile = 0; tile < 2; tile++) { \
        if (tile == 0) { \
            s[OTHER][y][x] = a[row * N + 8 + x]; \
            t[OTHER][y][x] = b[(8 + y) * 8 + x]; \
        } \
        for (int k = 0; k < 8; k++) sum += s[tile][y][k] * t[tile][k][x]; \
        __syncthreads(); \
    } \
    c[row * 8 + x] = sum;
__global__ void before(const int *a, const int *b, int *c)
{
    int row = blockIdx.y * 8 + threadIdx.y;
    int sum = 0;
    for (int k = 0; k < N; k++) sum += a[row * N + k] * b[k * 8 + threadIdx.x];
    c[row * 8 + threadIdx.x] = sum;
}
__global__ void after(const int *a, const int *b, int *c) { BUFFERED(1) }
__global__ void wrong(const int *a, const int *b, int *c) { BUFFERED(0) }
