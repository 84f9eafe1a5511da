// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: grid = 1,1
// gridlock: block = 4,4
// gridlock: arg = n=8
// gridlock: extent = a=64
// gridlock: extent = b=64
// gridlock: extent = c=64
// gridlock: few-grid = 1
// gridlock: few-block = 2,2
// gridlock: few-arg = n=4
// gridlock: why = a fast thread fills the tiles for the next step while a slow one still reads them

#define MOST 4

__global__ void matmul(const int *a, const int *b, int *c, int n)
{
    __shared__ int left[MOST][MOST];
    __shared__ int right[MOST][MOST];
    int tile = blockDim.x;
    int x = threadIdx.x;
    int y = threadIdx.y;
    int row = blockIdx.y * tile + y;
    int column = blockIdx.x * tile + x;
    int sum = 0;
    for (int k = 0; k < n; k += tile) {
        left[y][x] = a[row * n + k + x];
        right[y][x] = b[(k + y) * n + column];
        __syncthreads();
        for (int j = 0; j < tile; j++)
            sum += left[y][j] * right[j][x]; // <-- guilty
    }
    c[row * n + column] = sum;
}
