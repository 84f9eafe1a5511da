// launch: --grid 1 --a-block 8,8 --b-block 4,4
// after: proved
// wrong: refuted

// Two by two cells of the product in the registers of a thread.
#define N 8
#define BY_TWO(LAST) \
    int row = threadIdx.y * 2, column = threadIdx.x * 2; \
    int sum[2][2] = {{0, 0}, {0, 0}}; \
    for (int k = 0; k < N; k++) { \
        int left[2] = {a[row * N + k], a[(row + 1) * N + k]}; \
        int right[2] = {b[k * N + column], b[k * N + LAST]}; \
        for (int i = 0; i < 2; i++) \
            for (int j = 0; j < 2; j++) sum[i][j] += left[i] * right[j]; \
    } \
    for (int i = 0; i < 2; i++) \
        for (int j = 0; j < 2; j++) c[(row + i) * N + column + j] = sum[i][j];
__global__ void before(const int *a, const int *b, int *c)
{
    int sum = 0;
    for (int k = 0; k < N; k++) sum += a[threadIdx.y * N + k] * b[k * N + threadIdx.x];
    c[threadIdx.y * N + threadIdx.x] = sum;
}
__global__ void after(const int *a, const int *b, int *c) { BY_TWO(column + 1) }
// One column for one value of k.
__global__ void wrong(const int *a, const int *b, int *c) { BY_TWO(column + (k != 5 || column != 6)) }
